// Every option of the program is one row of a table; add an option by adding a row. The definitions of the command line, the types of
// flags and settings, the settings of a run, the flags in its log, the schema of assay.config, completion and docs/options.md are
// derived from the rows. A row's key is the long name of its flag in camel case. The order of rows is the order in `--help` and of
// the settings in a log.

import { DECIDING_OPTIONS } from './deciding-options.ts';
import { FIGURE_OPTIONS } from './figure-options.ts';
import type {
  ConfigIn,
  FlagsIn,
  Option,
  OptionVerb,
  Setting,
  SettingName,
  SettingsIn,
  ValuesIn,
} from './option.ts';
import { QUERY_OPTIONS } from './query-options.ts';
import { CASE_OPTIONS } from './case-options.ts';
import { RUN_OPTIONS } from './run-options.ts';
import { TAPE_OPTIONS } from './tape-options.ts';
import { VARIABLE_OPTIONS } from './variable-options.ts';

const TABLE = {
  ...QUERY_OPTIONS,
  ...RUN_OPTIONS,
  ...VARIABLE_OPTIONS,
  ...TAPE_OPTIONS,
  ...CASE_OPTIONS,
  ...FIGURE_OPTIONS,
  ...DECIDING_OPTIONS,
};
type Table = typeof TABLE;

/** The flags of one or several verbs. */
export type FlagsOf<Verb extends OptionVerb> = FlagsIn<Table, Verb | PlannedVerb<Verb>>;

/** The verb that `assay plan <verb>` plans. */
type PlannedVerb<Verb> = Verb extends `plan.${infer Planned extends OptionVerb}` ? Planned : never;

/** The flags of the verbs that run tests. */
export type Flags = FlagsOf<'test' | 'run' | 'skills'>;

/** The flags that can be settings. */
export type SettingFlags = FlagsOf<'compare' | 'test' | 'run' | 'skills'>;

/** The settings of a run: flags, environment, configuration and defaults merged. */
export type Settings = SettingsIn<Table>;

/** The content of assay.config. */
export type AssayConfig = ConfigIn<Table>;

/** The settings that `evaluate` takes under the names of their flags. */
export type RunValues<LeftOut> = ValuesIn<Table, 'test', LeftOut>;

/** The name of a setting. */
export type NameOfSetting = SettingName<Table[keyof Table]>;

/** A row together with its key, which is the name of the flag in `Flags`. */
export type NamedOption = Option & { attribute: string };

/** A row that is a setting; the setting has its name. */
export type SettingOption = NamedOption & { setting: Setting & { name: string } };

/** All rows. */
export const OPTIONS: readonly NamedOption[] = Object.entries(TABLE).map(([attribute, option]) =>
  Object.assign({ attribute }, option),
);

/** The rows that are settings of a run. */
export const SETTINGS: readonly SettingOption[] = OPTIONS.flatMap((option) => {
  const { setting } = option;
  return setting === undefined
    ? []
    : [{ ...option, setting: { ...setting, name: setting.name ?? setting.key ?? '' } }];
});

/** The flags that cannot be combined with `--resume`. */
export const REFUSED_WITH_RESUME = OPTIONS.filter(({ withResume }) => withResume === 'refused').map(
  // The cast is safe: the filter leaves flags of the verbs that run tests.
  ({ attribute }) => attribute as keyof Flags,
);

/** The rows of a verb, in the order of the table. */
export function optionsOf(verb: OptionVerb): NamedOption[] {
  return OPTIONS.filter(({ verbs = [] }) => isFor(verb, verbs));
}

/** True if one of the verbs is this one, or the one that it plans. */
export function isFor(verb: OptionVerb, verbs: readonly OptionVerb[]): boolean {
  return verbs.some((one) => one === verb || one === plannedVerb(verb));
}

/** The help of an option in the words of a verb. */
export function helpIn(verb: OptionVerb, { help, helpFor = {} }: Option): string {
  return helpFor[verb] ?? helpFor[plannedVerb(verb)] ?? help;
}

/** `test` for `plan.test`; any other verb itself. The cast is safe: `plan.` stands before a verb. */
function plannedVerb(verb: OptionVerb): OptionVerb {
  return verb.replace(/^plan\./, '') as OptionVerb;
}

/** The long form of a flag without its argument: `--name`. */
export function longFlag(flag: string): string {
  return /--[\w-]+/.exec(flag)?.[0] ?? flag;
}
