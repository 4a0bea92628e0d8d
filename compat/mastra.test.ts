import { checkFramework } from './check-framework.ts';

checkFramework({
  name: 'mastra',
  result: (value) => value,
  toolError: (message) => ({ error: message, told: message }),
});
