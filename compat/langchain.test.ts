import { checkFramework } from './check-framework.ts';

checkFramework({
  name: 'langchain',
  result: (value) => JSON.stringify(value),
  toolError: (message) => ({
    error: message,
    told: `Error: ${message}
 Please fix your mistakes.`,
  }),
  wire: {
    system: [{ type: 'text', text: 'You know the weather.' }],
    nothing: '',
    names: true,
  },
});
