import { checkFramework } from './check-framework.ts';

checkFramework({
  name: 'langgraph',
  result: (value) => JSON.stringify(value),
  toolError: (message) => ({
    error: message,
    told: `Error: ${message}
 Please fix your mistakes.`,
  }),
  wire: { nothing: '', names: true },
});
