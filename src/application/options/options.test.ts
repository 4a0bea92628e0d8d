import { expect, test } from 'vitest';
import type { Problem } from '../../errors.ts';
import { ConfigError } from '../../errors.ts';
import { isTyped, resolveSettings } from '../settings.ts';
import type { OptionVerb } from './option.ts';
import type { Flags, NameOfSetting, SettingOption, Settings } from './options.ts';
import { isFor, OPTIONS, optionsOf, REFUSED_WITH_RESUME, SETTINGS } from './options.ts';

type Values = { flag: unknown; env: string; config: unknown };

/** Three values that differ, in the form that each source has them, for the parsers that do not take any text. */
const SAMPLES: { [name: string]: Values } = {
  alpha: { flag: '0.1', env: '0.2', config: 0.3 },
  baseline_runs: { flag: '9', env: '8', config: 7 },
  budget: { flag: '$9', env: '8', config: 0.5 },
  budget_time_ms: { flag: '9s', env: '8s', config: '7s' },
  fail_on: { flag: 'undecided', env: 'any-drop', config: ['any-drop', 'undecided'] },
  cluster: { flag: 'tag:template', env: 'test', config: 'variable:Model' },
  history: { flag: false, env: 'yes', config: false },
  k: { flag: '1,9', env: '8', config: [7] },
  margin: { flag: '9', env: '8.5', config: 7 },
  min_pass_rate: { flag: '90', env: '80%', config: 70 },
  order: { flag: 'failed-first', env: 'flaky-first', config: 'slowest-first' },
  confirm: { flag: '9', env: '8', config: 7 },
  confidence: { flag: '0.9', env: '99%', config: 0.8 },
  max_runs: { flag: '9', env: '8', config: 7 },
  min_runs: { flag: '9', env: '8', config: 7 },
  parallel: { flag: '9', env: '8', config: 7 },
  presets: { flag: '', env: '', config: { a: { Language: 'de' } } },
  replay_speed: { flag: '9', env: '8', config: 0.5 },
  retries: { flag: '9', env: '8', config: 7 },
  first: { flag: '9', env: '8', config: 7 },
  runs: { flag: '9', env: 'auto', config: 7 },
  sample: { flag: '9', env: '8', config: 7 },
  seed: { flag: '9', env: '8', config: 7 },
  tapes: { flag: '', env: '', config: { ignore: ['id'] } },
  target: { flag: '90', env: '70%', config: 60 },
  timeout_ms: { flag: '9s', env: '8s', config: '7s' },
  undecided: { flag: 'pass', env: 'fail', config: 'pass' },
};
const SWITCH: Values = { flag: true, env: 'no', config: true };

function samples({ flag, setting, repeatable }: SettingOption): Values {
  if (flag !== undefined && !flag.includes('<')) return SAMPLES[setting.name] ?? SWITCH;
  const texts = { flag: repeatable === true ? ['a'] : 'a', env: 'b', config: 'c' };
  return SAMPLES[setting.name] ?? texts;
}

function parsed({ setting }: SettingOption, raw: unknown): unknown {
  const result = setting.parse(raw);
  return 'value' in result ? result.value : result;
}

test('every option of the verbs that run tests has a group in --help', () => {
  const ofRuns = OPTIONS.filter(
    ({ verbs = [], hidden }) =>
      hidden !== true && verbs.some((verb) => ['test', 'run', 'skills'].includes(verb)),
  );
  expect(ofRuns.filter(({ group }) => group === undefined).map(({ flag }) => flag)).toEqual([]);
});

test('no flag, variable or key stands in two rows', () => {
  const flags = OPTIONS.flatMap(({ flag, opposite }) => [flag, opposite?.flag]);
  const names = flags.flatMap((flag) => flag?.match(/(?<![\w-])--?[\w-]+/g) ?? []);
  const all = [
    ...names,
    ...SETTINGS.flatMap(({ setting }) => [setting.env, `key ${setting.key ?? setting.name}`]),
  ].filter((name) => name !== undefined);
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});

test('the key of a row is the long name of its flag', () => {
  const wrong = OPTIONS.filter(({ attribute, flag }) => {
    const long = /--(?:no-)?([\w-]+)/.exec(flag ?? '')?.[1];
    return (
      long !== undefined &&
      long.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) !== attribute
    );
  });
  expect(wrong).toEqual([]);
});

test('a row has verbs if it has a flag, and words for no other verb than these', () => {
  for (const { attribute, flag, verbs = [], helpFor = {}, onceIn = [], opposite } of OPTIONS) {
    const named = [...Object.keys(helpFor), ...onceIn, ...(opposite?.verbs ?? [])];
    expect({ attribute, hasVerbs: verbs.length > 0 }).toEqual({ attribute, hasVerbs: flag !== undefined });
    expect({ attribute, unknown: named.filter((verb) => !isFor(verb as OptionVerb, verbs)) }).toEqual({
      attribute,
      unknown: [],
    });
  }
});

test('the rows of a verb keep the order of the table', () => {
  expect(optionsOf('prune').map(({ attribute }) => attribute)).toEqual([
    'keep',
    'olderThan',
    'store',
    'json',
  ]);
});

test.each(SETTINGS.map((option) => [option.setting.name, option] as const))(
  '%s: flags win over the environment over assay.config over the default',
  (name, option) => {
    const { attribute, flag, setting } = option;
    const values = samples(option);
    const of = (sources: {
      flags?: Flags;
      env?: Record<string, string>;
      config?: Record<string, unknown>;
    }): unknown => resolveSettings({ flags: {}, env: {}, config: {}, ...sources })[name as keyof Settings];
    const config = setting.key === undefined ? {} : { [setting.key]: values.config };
    const env = setting.env === undefined ? {} : { [setting.env]: values.env };
    const flags: Flags = flag === undefined ? {} : { [attribute]: values.flag };

    const unset = setting.default;
    const inConfig = setting.key === undefined ? unset : parsed(option, values.config);
    const inEnv = setting.env === undefined ? inConfig : parsed(option, values.env);
    expect([of({}), of({ config }), of({ config, env }), of({ config, env, flags })]).toEqual([
      unset,
      inConfig,
      inEnv,
      flag === undefined ? inEnv : parsed(option, values.flag),
    ]);
    const typed = (sources: { flags?: Flags; env?: Record<string, string> }): boolean =>
      isTyped(name as NameOfSetting, { flags: {}, env: {}, ...sources });
    expect([typed({}), typed({ env }), typed({ flags })]).toEqual([
      false,
      setting.env !== undefined,
      flag !== undefined,
    ]);
  },
);

test('a problem names the flag, the variable or the key', () => {
  const problemAt = (sources: object): Problem[] => {
    try {
      resolveSettings({ flags: {}, env: {}, config: {}, ...sources });
      return [];
    } catch (error) {
      return error instanceof ConfigError ? [...error.problems] : [];
    }
  };
  const message = 'must be a percentage from 0 to 100, not "x"';
  expect([
    ...problemAt({ flags: { minPassRate: 'x' } }),
    ...problemAt({ env: { ASSAY_MIN_PASS_RATE: 'x' } }),
    ...problemAt({ config: { min_pass_rate: 'x' } }),
  ]).toEqual([
    { message, at: '--min-pass-rate' },
    { message, at: 'ASSAY_MIN_PASS_RATE' },
    { message, at: '"min_pass_rate" in assay.config' },
  ]);
});

test('flags that say what a run consists of cannot be combined with --resume', () => {
  expect([...REFUSED_WITH_RESUME].sort()).toEqual(
    ['confidence', 'maxRuns', 'minRuns', 'target', 'undecided', 'dryRun', 'failed', 'input']
      .concat(['first', 'matrix', 'note', 'preset', 'run', 'sample', 'seed', 'tag', 'varFile', 'watch'])
      .sort(),
  );
});
