// Commands and options that do not exist are exit 2 and suggest what was meant.

import { expect, test } from 'vitest';
import { assay, folder } from '../support/assay.ts';

async function refused(...args: string[]): Promise<string> {
  const cwd = folder({ 'cases.jsonl': [{ id: 'a', input: 'x' }], agent: '' });
  const { exitCode, stdout, stderr } = await assay(args, { cwd });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  return stderr;
}

test.each([
  [['eval'], 'there is no command "eval"\n  hint: did you mean assay test?\n'],
  [['ls'], 'there is no command "ls"\n  hint: did you mean assay list?\n'],
  [['histroy'], 'there is no command "histroy"\n  hint: did you mean assay history?\n'],
  [['resume'], 'there is no command "resume"\n  hint: did you mean assay test --resume last?\n'],
  [['xyzzy'], 'there is no command "xyzzy"\n  hint: assay --help lists the commands\n'],
  [
    ['cases.jsonl', './my agent.ts'],
    'there is no command "cases.jsonl"\n  hint: did you mean assay test cases.jsonl "./my agent.ts"?\n',
  ],
  [['agent'], 'there is no command "agent"\n  hint: did you mean assay test agent?\n'],
  [['-i', 'cases.jsonl'], '-i is an option of a command\n  hint: did you mean assay test -i cases.jsonl?\n'],
])('the command of %j', async (args, message) => {
  expect(await refused(...args)).toBe(message);
});

test.each([
  ['--rusn', '(Did you mean one of --run, --runs?)\n'],
  ['--concurrency', '(Did you mean --parallel?)\n'],
  ['-j', '(Did you mean --parallel?)\n'],
  ['--repeat=3', '(Did you mean --runs?)\n'],
  ['--xyzzyxyzzy', ''],
])('the option %s', async (option, suggestion) => {
  expect(await refused('test', option)).toBe(
    `error: unknown option '${option}'\n${suggestion}(assay test --help lists its options)\n`,
  );
});
