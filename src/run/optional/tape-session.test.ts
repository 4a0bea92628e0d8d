import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { resolveSettings } from '../../application/settings.ts';
import type { Flags } from '../../application/options/options.ts';
import { ConfigError } from '../../errors.ts';
import type { AgentRun } from '../../model/agent.ts';
import type { Prepared } from '../inputs/prepare.ts';
import { tapeSettings } from './tape-session.ts';

const cwd = mkdtempSync(join(tmpdir(), 'assay-taping-'));
writeFileSync(join(cwd, 'file.txt'), '');
writeFileSync(join(cwd, 'a.tape.json'), '');
mkdirSync(join(cwd, 'empty'));
afterAll(() => rmSync(cwd, { recursive: true }));

const MODULE: AgentRun = { type: 'module', file: 'agent.mjs' };

function settingsFor(flags: Flags, { run = MODULE, env = {}, config = {} }: Partial<Given> = {}): unknown {
  const target = {
    test_id: 'cases.jsonl',
    subject: { kind: 'agent-eval' as const, id: 'bot', run },
    base: cwd,
    root: cwd,
    timeout_ms: 1000,
  };
  // Nothing else of what was prepared is looked at.
  const prepared = { targets: [target] } as unknown as Prepared;
  try {
    return tapeSettings(resolveSettings({ flags, env, config, root: cwd }), { prepared, cwd });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ message }) => message);
    throw error;
  }
}

type Given = { run: AgentRun; env: Record<string, string>; config: Record<string, unknown> };

test('what workers are told', () => {
  const tapes = join(cwd, 'tapes');
  expect([
    settingsFor({ record: 'tapes' }),
    settingsFor({ replay: '.', replaySpeed: '2.5' }),
    settingsFor({ replay: 'tapes', recordMissing: true }),
    settingsFor({}, { env: { ASSAY_REPLAY: cwd } }),
    settingsFor({ record: 'tapes' }, { config: { replay: 'elsewhere', tapes: { ignore: ['a'] } } }),
    settingsFor({ replay: '.' }, { config: { record: 'elsewhere' } }),
  ]).toEqual([
    { mode: 'record', folder: tapes, rules: {} },
    { mode: 'replay', folder: cwd, rules: {}, speed: 2.5 },
    { mode: 'update', folder: tapes, rules: {} },
    { mode: 'replay', folder: cwd, rules: {} },
    { mode: 'record', folder: tapes, rules: { ignore: ['a'] } },
    { mode: 'replay', folder: cwd, rules: {} },
  ]);
});

const WRONG: [name: string, flags: Flags, run: AgentRun, problems: string[]][] = [
  ['both', { record: 'a', replay: '.' }, MODULE, ['--record and --replay cannot be combined']],
  ['nothing to replay', { replay: 'nowhere' }, MODULE, ['there are no recordings in nowhere']],
  ['a folder without recordings', { replay: 'empty' }, MODULE, ['there are no recordings in empty']],
  ['a file', { record: 'file.txt' }, MODULE, [`${join(cwd, 'file.txt')} is not a folder`]],
  ['--record-missing alone', { recordMissing: true }, MODULE, ['--record-missing needs --replay']],
  ['--replay-speed alone', { replaySpeed: '2' }, MODULE, ['--replay-speed needs --replay']],
  [
    'a speed that is none',
    { replay: '.', replaySpeed: '0' },
    MODULE,
    ['must be a number above 0, such as 1 or 2.5, not "0"'],
  ],
  [
    'a command',
    { replay: '.' },
    { type: 'command', command: ['x'], cwd },
    ['the traffic of bot cannot be recorded or replayed: it is a program of its own'],
  ],
];

test.each(WRONG)('%s is refused', (_name, flags, run, problems) => {
  expect(settingsFor(flags, { run })).toEqual(problems);
});

test.each([
  { ignore: 'a' },
  { replace: [{ pattern: '(', with: '' }] },
  { replace: [{ pattern: 'a' }] },
  { forget: [] },
  [],
])('rules that are none: %j', (tapes) => {
  expect(settingsFor({ record: 'tapes' }, { config: { tapes } })).toEqual([
    expect.stringMatching(
      /^must be like \{ "ignore"|is not a valid pattern|^has an unknown key "forget"; there are allow/,
    ),
  ]);
});
