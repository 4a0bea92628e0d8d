// What the tests of outputs share: cases with every kind of end, and the command that runs them.

/** One case that passes, one that fails, one that crashes, one that is too slow and one that is skipped. */
export const FILES = {
  'agent.mjs': `
export default async (messages) => {
  const what = messages[0].content;
  console.log('asked ' + what);
  if (what === 'crash') throw new Error('boom <&> "quoted" ]]>');
  if (what === 'slow') await new Promise(() => {});
  return { said: what };
};`,
  'tests/cases.jsonl': [
    { id: 'skipped', input: 'x', skip: true },
    { id: 'ok', input: 'hello', description: 'It greets', tags: ['smoke'] },
    { id: 'wrong', input: 'bye', expected: { said: 'hello' } },
    { id: 'crash', input: 'crash' },
    { id: 'slow', input: 'slow', timeout: '150ms' },
  ],
};
export const RUN = ['test', '-i', 'tests/cases.jsonl', '-n', './agent.mjs'];
