// Completion in real shells. Those that are not installed are skipped, except bash, which is everywhere.

import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { assay, folder } from '../support/assay.ts';
import { until } from '../../until.ts';

const variable = { dataType: 'string', valueSource: 'static', required: false };
const FILES = {
  'app.yao': '{}',
  'log of today.jsonl': '',
  'tests/tone.type.json': {
    id: 'tone',
    name: 'Tone',
    kind: 'agent-eval',
    variablesSchema: {
      schemaVersion: '1.0',
      variables: [
        {
          ...variable,
          name: 'Language',
          displayName: 'Language',
          possibleValues: [
            { value: 'de', label: 'German: spoken' },
            { value: 'en' },
            { value: `it's "new"` },
          ],
        },
      ],
    },
  },
  'tests/greeting.test.json': {
    id: 'greeting',
    name: 'Greeting: hello',
    type: 'tone',
    tags: ['smoke', 'two words'],
    cases: [{ id: 'a', input: 'hi' }],
  },
  'tests/grading.test.json': {
    id: 'grading',
    name: 'Grading',
    type: 'tone',
    cases: [{ id: 'a', input: 'hi' }],
  },
  'tests/broken.test.json': '{',
};

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;
const hasTerminal = existsSync('/usr/bin/script');

/** The folder of an application with `bin/assay`, and what finds it. */
function application(): { cwd: string; env: NodeJS.ProcessEnv } {
  const program = `#!/bin/sh\nexec "${process.execPath}" "${resolve('dist/cli.js')}" "$@"\n`;
  const cwd = folder({ ...FILES, 'bin/assay': program });
  chmodSync(join(cwd, 'bin/assay'), 0o755);
  const PATH = `${join(cwd, 'bin')}:${process.env['PATH'] ?? ''}`;
  return { cwd, env: { PATH, HOME: cwd, TERM: 'dumb', PS1: '$ ' } };
}

/** Types into a shell in a terminal, and gives what stands there in the end; what is typed last may wait for something to be shown. */
async function type(shell: string, keys: string, { thenExitAfter = '' } = {}): Promise<string> {
  const { cwd, env } = application();
  const terminal = spawn('/usr/bin/script', ['-qec', shell, '/dev/null'], { cwd, env });
  let screen = '';
  terminal.stdout.setEncoding('utf8').on('data', (chunk: string) => (screen += chunk));
  const closed = new Promise((done) => terminal.on('close', done));
  onTestFinished(() => void terminal.kill('SIGKILL'));
  terminal.stdin.write(keys);
  await until(() => screen.includes(thenExitAfter));
  terminal.stdin.end('\nexit\n');
  await closed;
  return screen;
}

const LISTED = `Tests\r\n  greeting  Greeting: hello, tone, #smoke, #two words, tests/greeting.test.json\r\n`;

describe('bash', () => {
  const WORDBREAKS = ` \t\n"'@><=;|&(:`;

  /** What bash would show for lines that are typed; `compopt` is noted. */
  function complete(lines: readonly string[]): string[][] {
    const script = `
      compopt() { printf '<%s>\\n' "$2"; }
      source <(assay completion bash)
      COMP_WORDBREAKS=$1
      shift
      for COMP_LINE; do
        COMP_POINT=\${#COMP_LINE} COMP_WORDS=("\${COMP_LINE%% *}")
        _assay_complete
        printf '%s\\n' "\${COMPREPLY[@]}" end
      done`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', WORDBREAKS, ...lines], {
      ...application(),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return stdout
      .split('end\n')
      .slice(0, -1)
      .map((reply) => reply.split('\n').slice(0, -1));
  }

  test('replies with what replaces the end of the word, escaped', () => {
    const replies = {
      'assay compl': ['completion'],
      'assay run gr': ['grading', 'greeting'],
      './bin/assay run gr': ['grading', 'greeting'],
      '~/bin/assay run gr': ['grading', 'greeting'],
      'shortcut run gr': ['grading', 'greeting'],
      'assay run tag:': ['smoke', String.raw`two\ words`],
      'assay run "tag:t': ['tag:two words'],
      'assay run greeting -V Lan': ['<nospace>', 'Language='],
      'assay run -V Language=': ['de', 'en', String.raw`it\'s\ \"new\"`],
      "assay run -V Language='i": [String.raw`it'\''s "new"`],
      'assay run --matrix Language=de,e': ['<nospace>', 'de,en'],
      'assay report --reporter=report.j': ['report.json'],
      'assay report lo': ['<default>'],
      'assay run nobody': [],
      'assay nonsense ': [],
      'assay run $(touch gr': ['grading', 'greeting'],
    };
    const lines = Object.keys(replies);
    const given = complete(lines).map((reply, index) => [lines[index], reply]);
    expect(Object.fromEntries(given)).toEqual(replies);
  });

  test.runIf(hasTerminal)('a tab in a terminal completes, and quotes', async () => {
    const source = 'source <(assay completion bash)\n';
    const screen = await type(
      'bash --norc --noprofile -i',
      `${source}assay list gre\t\nassay list --tag t\t\n`,
    );
    expect(screen.split(LISTED)).toHaveLength(3);
    expect(screen).toContain('assay list --tag two\\ words ');
  });
});

describe.runIf(has('zsh'))('zsh', () => {
  test('the script is sound', async () => {
    const { stdout } = await assay(['completion', 'zsh']);
    expect(spawnSync('zsh', ['-n'], { input: stdout, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  test.runIf(hasTerminal)('a tab in a terminal completes, and quotes', async () => {
    const source = 'autoload -U compinit; compinit -D -u; source <(assay completion zsh)\n';
    const screen = await type('zsh -f -i', `${source}assay list gre\t\nassay list --tag t\t\n`);
    expect(screen.split(LISTED)).toHaveLength(3);
  });

  test.runIf(hasTerminal)('ambiguous completions are shown with descriptions', async () => {
    const source = 'autoload -U compinit; compinit -D -u; source <(assay completion zsh)\n';
    const screen = await type('zsh -f -i', `${source}assay run gr\t`, {
      thenExitAfter: '-- Greeting: hello',
    });
    expect(screen).toMatch(/\ngrading +-- Grading\s/);
    expect(screen).toMatch(/\ngreeting +-- Greeting: hello\s/);
  });
});

describe.runIf(has('fish'))('fish', () => {
  test.each([
    ['assay run gr', ['grading\tGrading', 'greeting\tGreeting: hello']],
    ['assay run -V Language=', ['Language=de\tGerman: spoken', 'Language=en', `Language=it's "new"`]],
    ['assay run tag:t', ['tag:two words']],
    ['assay report log', ['log of today.jsonl']],
    ['assay report --output=log', ['--output=log of today.jsonl']],
    ['assay run nobody', []],
  ])('%s', (line, candidates) => {
    const script = 'assay completion fish | source; complete -C $argv[1]';
    const { stdout, stderr } = spawnSync('fish', ['-c', script, line], {
      ...application(),
      encoding: 'utf8',
    });
    const lines = stdout.split('\n').slice(0, -1);
    expect({ lines: lines.map((one) => one.replace(/\t$/, '')), stderr }).toEqual({
      lines: candidates,
      stderr: '',
    });
  });
});

test('help does not show what scripts call; another shell is refused', async () => {
  const { stdout } = await assay(['--help']);
  expect(stdout).toContain('completion <shell>');
  expect(stdout).not.toContain('__complete');
  expect(await assay(['completion', 'tcsh'])).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr:
      "error: command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.\n(assay completion --help says more)\n",
  });
});

test('no input makes completion fail', async () => {
  const { cwd } = application();
  for (const words of [[], ['--'], ['--', ''], ['--', 'run', '--', '-x', ''], ['--', '--help', '--nothing=']])
    expect(await assay(['__complete', ...words], { cwd })).toMatchObject({ exitCode: 0, stderr: '' });
});
