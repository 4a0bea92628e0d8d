// Flags, environment and configuration come in, the settings of a run go out.

import path from 'node:path';
import type { Problem } from '../errors.ts';
import { ConfigError } from '../errors.ts';
import type { NameOfSetting, SettingFlags, SettingOption, Settings } from './options/options.ts';
import { longFlag, SETTINGS } from './options/options.ts';
import type { SettingLevel } from './tape-choice.ts';
import { withOneTapeFolder } from './tape-choice.ts';

export type SettingSources = {
  flags: SettingFlags;
  env: Readonly<Record<string, string | undefined>>;
  /** The result of `readConfigFile`. */
  config: Readonly<Record<string, unknown>>;
  /** The folder that paths in the configuration start from. */
  root?: string;
};

/** The keys that `assay.config.*` can have. */
export const CONFIG_KEYS: readonly string[] = SETTINGS.flatMap(({ setting }) => setting.key ?? []);

/** Merges flags over environment over configuration over defaults; throws all problems at once. */
export function resolveSettings({ root, ...sources }: SettingSources): Settings {
  const problems: Problem[] = [];
  const settings: Record<string, unknown> = {};
  for (const option of SETTINGS) {
    const { setting } = option;
    const found = findValue(option, sources);
    const parsed = found === undefined ? undefined : setting.parse(found.value);
    if (found !== undefined && parsed !== undefined && 'problem' in parsed)
      problems.push({ message: parsed.problem, at: found.at });
    const value =
      found !== undefined && parsed !== undefined && 'value' in parsed
        ? fromRoot(parsed.value, setting, found.from, root)
        : freshDefault(setting);
    if (value !== undefined) settings[setting.name] = value;
  }
  if (problems.length > 0) throw ConfigError.of(problems);

  // The cast is safe: the type of each setting is inferred from the parser that made its value.
  return withOneTapeFolder(withOneLoudness(settings as Settings, sources.flags), {
    flags: sources.flags,
    root,
    find: (name) => foundPlace(name, sources),
  });
}

/** True if the command line or the environment sets the value: it then wins over the definition of a test. */
export function isTyped(name: NameOfSetting, { flags, env }: Pick<SettingSources, 'env' | 'flags'>): boolean {
  const option = SETTINGS.find(({ setting }) => setting.name === name);
  return option !== undefined && findValue(option, { flags, env, config: {} }) !== undefined;
}

/** Where a setting comes from, as messages name it; undefined if it has its default, or a definition sets it. */
export function placeOf(name: NameOfSetting, sources: Omit<SettingSources, 'root'>): string | undefined {
  return foundPlace(name, sources)?.at;
}

function foundPlace(
  name: NameOfSetting,
  sources: Omit<SettingSources, 'root'>,
): { from: SettingLevel; at: string } | undefined {
  const option = SETTINGS.find(({ setting }) => setting.name === name);
  return option === undefined ? undefined : findValue(option, sources);
}

/** The raw value of a setting, where it was found, and how a message names that place. */
function findValue(
  { attribute, flag, setting: { env, key } }: SettingOption,
  sources: Omit<SettingSources, 'root'>,
): { value: unknown; from: SettingLevel; at: string } | undefined {
  const flags: Record<string, unknown> = sources.flags;
  if (flag !== undefined && flags[attribute] !== undefined)
    return { value: flags[attribute], from: 'flag', at: longFlag(flag) };

  // An empty variable counts as missing.
  if (env !== undefined && sources.env[env]) return { value: sources.env[env], from: 'env', at: env };

  const value = key === undefined ? undefined : sources.config[key];
  if (key === undefined || value === undefined || value === null) return undefined;
  return { value, from: 'config', at: `"${key}" in assay.config` };
}

/** Resolves paths from the root of the application, unless they were typed. */
function fromRoot(
  value: unknown,
  { fromRoot: rule }: SettingOption['setting'],
  from: SettingLevel,
  root: string | undefined,
): unknown {
  const isFromRoot = from === 'config' || (from === 'env' && rule?.fromEnv === true);
  if (rule === undefined || root === undefined || !isFromRoot) return value;
  const resolved = (file: unknown): unknown =>
    typeof file !== 'string' || file === '-' || rule.isPath?.(file) === false
      ? file
      : path.resolve(root, file);
  return Array.isArray(value) ? value.map(resolved) : resolved(value);
}

function freshDefault({ default: value }: SettingOption['setting']): unknown {
  return Array.isArray(value) ? [...value] : value;
}

/** Typing `--quiet` drops a `verbose` that is set elsewhere, and the other way round; both are a contradiction. */
function withOneLoudness(settings: Settings, { quiet, verbose }: SettingFlags): Settings {
  if (settings.quiet !== true || !settings.verbose) return settings;
  if ((quiet === true) === (verbose === true))
    throw new ConfigError('quiet and verbose contradict each other', {
      at: '--quiet',
      hint: 'leave out --quiet or --verbose, and look for them in the environment and assay.config',
    });
  return { ...settings, quiet: quiet === true, verbose: verbose === true };
}
