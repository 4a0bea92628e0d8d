import { checkFramework } from './check-framework.ts';

checkFramework({
  name: 'openai-agents',
  result: (value) => value,
  toolError: () => ({
    error: 'An error occurred while running the tool. Please try again.',
    told: 'An error occurred while running the tool. Please try again.',
  }),
  wire: { said: [{ type: 'text', text: 'It is Oslo.' }] },
});
