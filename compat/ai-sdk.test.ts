import { checkFramework } from './check-framework.ts';

checkFramework({
  name: 'ai-sdk',
  result: (value) => value,
  toolError: (message) => ({ error: message, told: message }),
});
