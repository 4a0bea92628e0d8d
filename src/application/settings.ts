// Flags, environment and configuration in, the settings of a run out.

import path from 'node:path';
import type { Problem } from '../errors.ts';
import { ConfigError } from '../errors.ts';
import type { Settings } from '../model/settings.ts';
import { DEFAULTS } from '../model/settings.ts';
import { isPostgres } from '../platform/database-address.ts';
import type { Parse } from './parsers.ts';
import {
  parsePositive,
  parseList,
  parsePattern,
  parsePercentage,
  parseStore,
  parseBoolean,
  parseTimeout,
  parsePresets,
  parseTapeRules,
  parseText,
  parseWhole,
} from './parsers.ts';

/** The flags of `assay test` as they were typed. */
export type Flags = {
  input?: string[];
  output?: string[];
  name?: string;
  preset?: string[];
  connector?: string;
  user?: string;
  store?: string;
  history?: boolean;
  team?: string;
  tests?: string;
  ctx?: string;
  reporter?: string;
  beforeAll?: string;
  afterAll?: string;
  runs?: string;
  run?: string;
  tag?: string[];
  timeout?: string;
  parallel?: string;
  record?: string;
  recordMissing?: boolean;
  replay?: string;
  replaySpeed?: string;
  retries?: string;
  minPassRate?: string;
  failFast?: boolean;
  allowEmpty?: boolean;
  requireTests?: boolean;
  verbose?: boolean;
};

export type SettingSources = {
  flags: Flags;
  env: Readonly<Record<string, string | undefined>>;
  /** What `readConfigFile` returned. */
  config: Readonly<Record<string, unknown>>;
  /** The folder that paths in the configuration start from. */
  root?: string;
};

/** Where the value of a setting is looked for, first match wins. */
type Setting<T> = { flag?: keyof Flags; env?: string; key?: string; parse: Parse<T> };

const SETTINGS = {
  allow_empty: { flag: 'allowEmpty', env: 'ASSAY_ALLOW_EMPTY', key: 'allow_empty', parse: parseBoolean },
  after_all: { flag: 'afterAll', env: 'ASSAY_AFTER_ALL', key: 'after_all', parse: parseText },
  before_all: { flag: 'beforeAll', env: 'ASSAY_BEFORE_ALL', key: 'before_all', parse: parseText },
  connector: { flag: 'connector', env: 'ASSAY_CONNECTOR', key: 'connector', parse: parseText },
  ctx: { flag: 'ctx', env: 'ASSAY_CTX', key: 'ctx', parse: parseText },
  fail_fast: { flag: 'failFast', env: 'ASSAY_FAIL_FAST', key: 'fail_fast', parse: parseBoolean },
  history: { flag: 'history', env: 'ASSAY_HISTORY', key: 'history', parse: parseBoolean },
  inputs: { flag: 'input', parse: parseList },
  min_pass_rate: {
    flag: 'minPassRate',
    env: 'ASSAY_MIN_PASS_RATE',
    key: 'min_pass_rate',
    parse: parsePercentage,
  },
  name: { flag: 'name', env: 'ASSAY_NAME', key: 'name', parse: parseText },
  outputs: { flag: 'output', key: 'output', parse: parseList },
  parallel: { flag: 'parallel', env: 'ASSAY_PARALLEL', key: 'parallel', parse: parseWhole(1, 1_000) },
  preset: { flag: 'preset', env: 'ASSAY_PRESET', key: 'preset', parse: parseList },
  presets: { key: 'presets', parse: parsePresets },
  record: { flag: 'record', env: 'ASSAY_RECORD', key: 'record', parse: parseText },
  record_missing: {
    flag: 'recordMissing',
    env: 'ASSAY_RECORD_MISSING',
    key: 'record_missing',
    parse: parseBoolean,
  },
  replay: { flag: 'replay', env: 'ASSAY_REPLAY', key: 'replay', parse: parseText },
  replay_speed: { flag: 'replaySpeed', env: 'ASSAY_REPLAY_SPEED', key: 'replay_speed', parse: parsePositive },
  reporter: { flag: 'reporter', env: 'ASSAY_REPORTER', key: 'reporter', parse: parseText },
  require_tests: {
    flag: 'requireTests',
    env: 'ASSAY_REQUIRE_TESTS',
    key: 'require_tests',
    parse: parseBoolean,
  },
  retries: { flag: 'retries', env: 'ASSAY_RETRIES', key: 'retries', parse: parseWhole(0) },
  run: { flag: 'run', parse: parsePattern },
  runs: { flag: 'runs', env: 'ASSAY_RUNS', key: 'runs', parse: parseWhole(1, 1_000_000) },
  store: { flag: 'store', env: 'ASSAY_STORE', key: 'store', parse: parseStore },
  tags: { flag: 'tag', env: 'ASSAY_TAG', key: 'tag', parse: parseList },
  tapes: { key: 'tapes', parse: parseTapeRules },
  team: { flag: 'team', env: 'ASSAY_TEAM', key: 'team', parse: parseText },
  tests: { flag: 'tests', env: 'ASSAY_TESTS', key: 'tests', parse: parseText },
  timeout_ms: { flag: 'timeout', env: 'ASSAY_TIMEOUT', key: 'timeout', parse: parseTimeout },
  user: { flag: 'user', env: 'ASSAY_USER', key: 'user', parse: parseText },
  verbose: { flag: 'verbose', env: 'ASSAY_VERBOSE', key: 'verbose', parse: parseBoolean },
} as const satisfies { [K in keyof Settings]-?: Setting<NonNullable<Settings[K]>> };

/** What `assay.config.*` may say. */
export const CONFIG_KEYS: readonly string[] = Object.values(SETTINGS).flatMap((setting) =>
  'key' in setting ? [setting.key] : [],
);

/** The same with the flag of each, and what its value is as JSON Schema. */
export function describeConfig(): { key: string; flag?: keyof Flags; schema: Parse<unknown>['schema'] }[] {
  const settings: Setting<unknown>[] = Object.values(SETTINGS);
  return settings.flatMap(({ key, flag, parse: { schema } }) =>
    key === undefined ? [] : [flag === undefined ? { key, schema } : { key, flag, schema }],
  );
}

/** Merges flags over environment over configuration over defaults; all problems are thrown at once. */
export function resolveSettings({ flags, env, config, root }: SettingSources): Settings {
  const problems: Problem[] = [];

  function get<T>(
    setting: Setting<T>,
    places: { inConfig?: (value: T) => T; unlessTyped?: (value: T) => T } = {},
  ): T | undefined {
    const found = find(setting, { flags, env, config });
    if (found === undefined) return undefined;
    const parsed = setting.parse(found.value);
    if ('problem' in parsed) {
      problems.push({ message: parsed.problem, at: found.at });
      return undefined;
    }
    if (found.from !== 'flag' && places.unlessTyped !== undefined) return places.unlessTyped(parsed.value);
    return found.from === 'config' && places.inConfig !== undefined
      ? places.inConfig(parsed.value)
      : parsed.value;
  }

  const fromRoot = (file: string): string =>
    root === undefined || file === '-' ? file : path.resolve(root, file);
  const min_pass_rate = get(SETTINGS.min_pass_rate);
  const settings: Settings = {
    inputs: get(SETTINGS.inputs) ?? [],
    outputs: get(SETTINGS.outputs, { inConfig: (files) => files.map(fromRoot) }) ?? [],
    ...given(
      'name',
      get(SETTINGS.name, { inConfig: (name) => (/^\.{0,2}[/\\]/.test(name) ? fromRoot(name) : name) }),
    ),
    ...given('connector', get(SETTINGS.connector)),
    ...given('user', get(SETTINGS.user)),
    ...given('team', get(SETTINGS.team)),
    ...given(
      'store',
      get(SETTINGS.store, {
        unlessTyped: (store) => (isPostgres(store) ? store : fromRoot(store)),
      }),
    ),
    ...given('history', get(SETTINGS.history)),
    ...given('tests', get(SETTINGS.tests)),
    ...given('preset', get(SETTINGS.preset)),
    ...given('presets', get(SETTINGS.presets)),
    ...given('ctx', get(SETTINGS.ctx, { inConfig: fromRoot })),
    ...given('reporter', get(SETTINGS.reporter)),
    ...given('before_all', get(SETTINGS.before_all)),
    ...given('after_all', get(SETTINGS.after_all)),
    runs: get(SETTINGS.runs) ?? DEFAULTS.runs,
    ...given('run', get(SETTINGS.run)),
    tags: (get(SETTINGS.tags) ?? []).flatMap(splitTags),
    ...given('timeout_ms', get(SETTINGS.timeout_ms)),
    ...given('parallel', get(SETTINGS.parallel)),
    retries: get(SETTINGS.retries) ?? DEFAULTS.retries,
    ...given('record', get(SETTINGS.record, { inConfig: fromRoot })),
    ...given('replay', get(SETTINGS.replay, { inConfig: fromRoot })),
    ...given('record_missing', get(SETTINGS.record_missing)),
    ...given('replay_speed', get(SETTINGS.replay_speed)),
    ...given('tapes', get(SETTINGS.tapes)),
    ...given('min_pass_rate', min_pass_rate),
    fail_fast: get(SETTINGS.fail_fast) ?? false,
    allow_empty: get(SETTINGS.allow_empty) ?? false,
    require_tests: get(SETTINGS.require_tests) ?? false,
    verbose: get(SETTINGS.verbose) ?? false,
  };
  if (problems.length > 0) throw ConfigError.of(problems);
  return withOneWay(settings, flags);
}

/** What is typed wins: `--record` over a folder to replay from that is set elsewhere, and the other way round. */
function withOneWay(settings: Settings, { record, replay }: Flags): Settings {
  const {
    record: _record,
    record_missing: _missing,
    replay: _replay,
    replay_speed: _speed,
    ...rest
  } = settings;
  if (record !== undefined && replay === undefined) return { ...rest, ...given('record', settings.record) };
  if (replay === undefined || record !== undefined || settings.record === undefined) return settings;
  const { record: _unwanted, ...replayed } = settings;
  return replayed;
}

/** True if the command line or the environment says what a setting is: then definitions do not. */
export function isTyped(
  name: keyof typeof SETTINGS,
  { flags, env }: Pick<SettingSources, 'env' | 'flags'>,
): boolean {
  return find(SETTINGS[name], { flags, env, config: {} }) !== undefined;
}

type Found = { value: unknown; from: 'flag' | 'env' | 'config'; at: string };

function find(
  setting: Setting<unknown>,
  { flags, env, config }: Omit<SettingSources, 'root'>,
): Found | undefined {
  const flag = setting.flag === undefined ? undefined : flags[setting.flag];
  if (setting.flag !== undefined && flag !== undefined)
    return { value: flag, from: 'flag', at: `--${toKebab(setting.flag)}` };
  const variable = setting.env === undefined ? undefined : env[setting.env];
  // An empty variable counts as missing.
  if (setting.env !== undefined && variable) return { value: variable, from: 'env', at: setting.env };
  const value = setting.key === undefined ? undefined : config[setting.key];
  if (setting.key === undefined || value === undefined || value === null) return undefined;
  return { value, from: 'config', at: `"${setting.key}" in assay.config` };
}

function given<K extends keyof Settings, T>(key: K, value: T | undefined): { [P in K]?: T } {
  // The one property is typed by its key.
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: T });
}

function splitTags(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

function toKebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
