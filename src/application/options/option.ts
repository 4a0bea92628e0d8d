// The shape of a row in the table of options, and the types that are inferred from the rows.

import type { Parse } from './parsers.ts';

/** The verbs that have options. `suite` has the options of `run`, and `plan.<verb>` has those of the verb. */
export type OptionVerb =
  | 'init'
  | 'test'
  | 'run'
  | 'skills'
  | 'grade'
  | 'list'
  | 'validate'
  | 'import'
  | 'history'
  | 'show'
  | 'compare'
  | 'prune'
  | 'report'
  | 'view'
  | 'flaky'
  | 'plan.test'
  | 'plan.run'
  | 'baseline.list'
  | 'baseline.set'
  | 'baseline.show'
  | 'baseline.remove'
  | 'tapes.list'
  | 'tapes.prune'
  | 'tapes.diff'
  | 'convert.promptfoo'
  | '__complete';

/** The source of the values that completion offers for an option. */
export type CompletionSource =
  | 'agents'
  | 'agents and files'
  | 'connectors'
  | 'files'
  | 'orders'
  | 'presets'
  | 'reporters'
  | 'tags'
  | 'variable lists'
  | 'variables';

/** The groups of options in the help of verbs that run tests, in their order. */
export const OPTION_GROUPS = {
  'most used': 'Most used',
  select: 'Select cases',
  agent: 'Agent and variables',
  run: 'Run',
  decide: 'Decide what passes, compare',
  record: 'Record and replay',
  output: 'Output',
  history: 'History',
} as const;

/** One option, with everything that the program derives from it. */
export type Option = {
  /** The flag as commander reads it. Without one, only the environment and assay.config can set the option. */
  flag?: string;
  verbs?: readonly OptionVerb[];
  /** The group in `--help` and docs/options.md; every option of a verb that runs tests has one. */
  group?: keyof typeof OPTION_GROUPS;
  help: string;
  /** Help for verbs in which the option means something else. */
  helpFor?: { readonly [V in OptionVerb]?: string };
  /** Not in `--help`, the documentation or completion. */
  hidden?: true;
  /** The flag can be given several times; its value is a list, except in the verbs of `onceIn`. */
  repeatable?: true;
  onceIn?: readonly OptionVerb[];
  /** Why the flag cannot be given twice, if the last one must not win silently. */
  once?: string;
  /** A hidden flag that says the opposite. */
  opposite?: { flag: string; verbs: readonly OptionVerb[] };
  complete?: CompletionSource;
  /** Set if the flag cannot be combined with `--resume`. */
  withResume?: 'refused';
  /** Set if the option is a setting of a run, and not only read by its verb. */
  setting?: Setting;
};

/** How an option becomes a setting: flag > environment > assay.config > default. */
export type Setting = {
  /** The name in `Settings` and in the log; the same as `key` unless given. */
  name?: string;
  /** The environment variable. */
  env?: string;
  /** The key in assay.config. */
  key?: string;
  parse: Parse<unknown>;
  default?: unknown;
  /** Help for the key in assay.config, if the help of the flag does not fit. */
  help?: string;
  /** Set if the value is a path: one in assay.config starts at the root of the application, and with `fromEnv` one in the environment too. */
  fromRoot?: { fromEnv?: true; isPath?(value: string): boolean };
  /** Default: the log keeps the setting, and `--resume` and `--failed` restore it. */
  log?: 'never' | 'never restored';
  /** Appended to the number in the log when it is restored. */
  unit?: string;
};

type Rows = { readonly [attribute: string]: Option };

/** The flags that verbs get from the command line, by the keys of their rows. */
export type FlagsIn<Table extends Rows, Verb extends OptionVerb> = {
  [Key in keyof Table as Verb & VerbIn<Table[Key]> extends never ? never : Key]?: FlagValue<Table[Key], Verb>;
};

type VerbIn<Row> = Row extends { verbs: readonly (infer Verb)[] } ? Verb : never;

type FlagValue<Row, Verb> = Row extends { flag: `${string}<${string}` }
  ? Row extends { repeatable: true }
    ? Verb extends OnceIn<Row>
      ? string
      : string[]
    : string
  : Row extends { flag: `${string}[${string}` }
    ? string | true
    : boolean;

type OnceIn<Row> = Row extends { onceIn: readonly (infer Verb)[] } ? Verb : never;

/** The settings by their names; those with a default are always there. */
export type SettingsIn<Table extends Rows> = Flat<
  {
    [Key in keyof Table as Table[Key] extends WithDefault ? SettingName<Table[Key]> : never]: SettingValue<
      Table[Key]
    >;
  } & {
    [Key in keyof Table as Table[Key] extends WithDefault ? never : SettingName<Table[Key]>]?: SettingValue<
      Table[Key]
    >;
  }
>;

/** What assay.config may contain, by its keys. Values that are checked as text, such as durations, are text there. */
export type ConfigIn<Table extends Rows> = {
  [Key in keyof Table as ConfigKey<Table[Key]>]?: Table[Key] extends {
    setting: { parse: { schema: { pattern: string } } };
  }
    ? string
    : SettingValue<Table[Key]>;
};

/** The settings that a program can pass to a run of `Verb`, by the keys of their rows, without `LeftOut`. */
export type ValuesIn<Table extends Rows, Verb extends OptionVerb, LeftOut> = {
  [
    Key in keyof Table as Key extends LeftOut
      ? never
      : Table[Key] extends { flag: string; setting: object }
        ? Verb & VerbIn<Table[Key]> extends never
          ? never
          : Key
        : never
  ]?: Table[Key] extends { setting: { parse: { schema: { pattern: string } } } }
    ? string
    : SettingValue<Table[Key]>;
};

type ConfigKey<Row> = Row extends { setting: { key: infer Key extends string } } ? Key : never;

type WithDefault = { setting: { default: unknown } };

export type SettingName<Row> = Row extends { setting: { name: infer Name extends string } }
  ? Name
  : Row extends { setting: { key: infer Key extends string } }
    ? Key
    : never;

type SettingValue<Row> = Row extends { setting: { parse: Parse<infer Value> } } ? Value : never;

type Flat<Type> = { [Key in keyof Type]: Type[Key] };
