import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { until } from '../../test/until.ts';
import { ask } from './ask.ts';
import type { Choice, InitFlags } from './choose.ts';
import type { Project } from './project.ts';

const EMPTY: Project = {
  folder: '/nowhere',
  manager: 'npm',
  hasLock: false,
  packages: {},
  frameworks: [],
  isPython: false,
  assistants: [],
  configs: [],
  belowGit: '',
};

/** Answers each question, known by its words, with keys. Gives the choice and what was on the screen. */
async function talk(
  project: Project,
  answers: [string, string][],
  { flags = {}, target }: { flags?: InitFlags; target?: string } = {},
): Promise<{ choice: Choice | undefined; screen: string }> {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const output = Object.assign(new PassThrough({ encoding: 'utf8' }), {
    isTTY: true,
    columns: 100,
    rows: 40,
  });
  let screen = '';
  output.on('data', (text: string) => (screen += text));
  // The library reads and writes these streams; nothing else of a terminal is used.
  const io = { stdin: input, stdout: output } as unknown as Parameters<typeof ask>[2]['io'];
  const asked = ask(flags, target, { project, io });
  for (const [question, keys] of answers) {
    await until(() => screen.includes(question));
    input.write(keys);
  }
  return { choice: await asked, screen };
}

test('asks what the agent is, where it is, and for a workflow', async () => {
  const { choice, screen } = await talk(EMPTY, [
    ['What is your agent?', '\r'],
    ['Which file has it', 'src/bot.ts\r'],
    ['GitHub', 'y'],
  ]);
  expect(choice).toEqual({ type: 'function', target: 'src/bot.ts', workflow: true });
  expect(screen).not.toContain('AI SDK');
});

test('offers the frameworks of package.json first', async () => {
  const { choice, screen } = await talk({ ...EMPTY, frameworks: ['ai-sdk'] }, [
    ['What is your agent?', '\r'],
    ['Which file has it', '\r'],
    ['GitHub', 'n'],
  ]);
  expect(choice).toEqual({ type: 'ai-sdk', target: undefined, workflow: false });
  expect(screen).toContain('ai is in package.json');
});

test('flags answer questions', async () => {
  const { choice } = await talk(EMPTY, [['GitHub', 'n']], { target: 'http://localhost:8000/chat' });
  expect(choice).toEqual({ type: 'http', target: 'http://localhost:8000/chat', workflow: false });
});

test('Ctrl-C ends the questions', async () => {
  const { choice } = await talk(EMPTY, [['What is your agent?', '\u0003']]);
  expect(choice).toBeUndefined();
});
