// Opens an application: finds its root, reads `.env` and `assay.config`, resolves the settings. Nothing else does this.

import type { Problem } from '../errors.ts';
import { collectProblems, ConfigError } from '../errors.ts';
import { evaluateInWorker } from '../execute/evaluate.ts';
import type { Settings } from './options/options.ts';
import { readConfigFile } from './config-file.ts';
import type { Environment } from './dotenv.ts';
import { addDotEnv, readDotEnv } from './dotenv.ts';
import { findApplicationRoot } from './root.ts';
import type { SettingFlags } from './options/options.ts';
import { resolveSettings } from './settings.ts';

export type Application = {
  root: string;
  /** The environment, with the variables that `.env` adds. */
  env: Record<string, string>;
  /** Only the variables that `.env` adds; child processes get them besides the environment. */
  dotenv: Record<string, string>;
  config: Record<string, unknown>;
  settings: Settings;
};

export type OpenOptions = {
  cwd: string;
  env: Environment;
  flags?: SettingFlags;
  /** A file or folder of the application, if it is not the one around `cwd`. */
  start?: string;
  /** The root if nothing marks one above `start`; `cwd` unless given. */
  fallback?: string;
};

/**
 * Throws ConfigError with all problems of `.env`, the configuration and the flags.
 *
 * @example const { root, settings } = await openApplication({ cwd, env: process.env, flags: { runs: '3' } })
 */
export async function openApplication(options: OpenOptions): Promise<Application> {
  const { cwd, flags = {}, start = cwd, fallback = cwd } = options;
  const root = findApplicationRoot(start, fallback);

  const problems: Problem[] = [];
  const file = await collectProblems(problems, () => readDotEnv(root));
  const { env, dotenv } = addDotEnv(options.env, file ?? {});
  const config = await collectProblems(problems, () =>
    readConfigFile(root, (module) => evaluateInWorker(module, root)),
  );
  // A broken configuration does not hide a wrong flag.
  const settings = await collectProblems(problems, () =>
    resolveSettings({ flags, env, config: config ?? {}, root }),
  );

  if (config === undefined || settings === undefined || problems.length > 0) throw ConfigError.of(problems);
  // Workers look for the interpreter where the coordinator does.
  const python: Record<string, string> =
    settings.python === undefined ? {} : { ASSAY_PYTHON: settings.python };
  return { root, env: { ...env, ...python }, dotenv: { ...dotenv, ...python }, config, settings };
}
