import { expect, test } from 'vitest';
import type { Flags } from '../../application/options/options.ts';
import { SETTINGS } from '../../application/options/options.ts';
import { resolveSettings } from '../../application/settings.ts';
import type { StartEvent } from '../../model/event.ts';
import { flagsFromLog, loggedFlags } from './logged-run.ts';

const FLAGS: Flags = {
  output: ['report.md', 'log.jsonl', '-'],
  name: 'keyword',
  connector: 'openai.gpt4',
  user: 'admin',
  team: 'ops',
  preset: ['cheap'],
  ctx: 'context.json',
  reporter: 'report.json',
  beforeAll: 'env_test.BeforeAll',
  afterAll: 'env_test.AfterAll',
  runs: '5',
  run: '^T0',
  tag: ['smoke', 'fast,slow'],
  timeout: '1m30s',
  parallel: '8',
  retries: '0',
  replay: 'tapes',
  recordMissing: true,
  replaySpeed: '2.5',
  minPassRate: '80%',
  failFast: true,
  allowEmpty: true,
  requireTests: true,
  store: 'postgres://user:secret@host/db',
  history: false,
  verbose: true,
};

function startOf(flags: Record<string, unknown>): StartEvent {
  const message = { type: 'message', message: 'hi' };
  // The rest of the event is not read.
  return {
    flags: JSON.parse(JSON.stringify(flags)) as object,
    inputs: [message],
    cwd: '/app',
  } as unknown as StartEvent;
}

test('keeps the settings of a run, except those that must not be in a log', () => {
  const settings = resolveSettings({ flags: FLAGS, env: {}, config: {} });
  const never = SETTINGS.filter(({ setting }) => setting.log === 'never').map(({ setting }) => setting.name);
  const kept = Object.entries(settings).filter(([name]) => !never.includes(name));
  expect(never.toSorted()).toEqual([
    'history',
    'inputs',
    'note',
    'outputs',
    'presets',
    'quiet',
    'store',
    'tapes',
    'verbose',
  ]);
  expect(loggedFlags({ settings })).toEqual({ ...Object.fromEntries(kept), outputs: ['report.md'] });
});

test('a later run has the same settings again', () => {
  const settings = resolveSettings({ flags: FLAGS, env: {}, config: {} });
  const flags = flagsFromLog(startOf(loggedFlags({ settings })), {});
  const { preset: _preset, store: _store, history: _history, ...restored } = settings;
  expect(resolveSettings({ flags, env: {}, config: {} })).toEqual({
    ...restored,
    inputs: ['hi'],
    outputs: ['/app/report.md'],
    verbose: false,
  });
});

test('leaves the settings of definitions and a configured connector to the later run', () => {
  const settings = resolveSettings({ flags: FLAGS, env: {}, config: {} });
  const definition = {
    tests: ['greeting'],
    given: { values: {}, matrix: {} },
    untyped: ['timeout_ms', 'runs'],
  };
  const logged = loggedFlags({ settings, isConnectorDefault: true, defined: { flags: definition } });
  const flags = flagsFromLog(startOf(logged), {});
  expect([flags.timeout, flags.runs, flags.connector, flags.earlierConnector, flags.parallel]).toEqual([
    undefined,
    undefined,
    undefined,
    'openai.gpt4',
    '8',
  ]);
  expect(flags).toMatchObject({ selection: { tests: ['greeting'] }, given: { values: {}, matrix: {} } });
});
