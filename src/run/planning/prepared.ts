// Stage 4 of planning: everything that the run will touch is read and checked once, before anything runs.

import { configFiles } from '../../application/config-file.ts';
import { ConfigError } from '../../errors.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { StartEvent } from '../../model/event.ts';
import type { SuiteDefinition } from '../../model/definition.ts';
import type { Settings } from '../../application/options/options.ts';
import type { TapeSettings } from '../../tapes/worker-tapes.ts';
import type { Prepared } from '../inputs/prepare.ts';
import { prepareRun } from '../inputs/prepare.ts';
import type { RunApplication } from './application.ts';
import type { RunInputs } from './inputs.ts';
import type { RunRequest } from './request.ts';

/** A run that is known to be sound. */
export type PreparedRun = Prepared & {
  /** How traffic is recorded or replayed. */
  tapes?: TapeSettings | undefined;
};

/** Throws ConfigError with all problems of agents, cases, tapes and hooks. */
export async function prepareInputs(
  { flags }: RunRequest,
  { root, cwd, env, config, redactor }: RunApplication,
  { settings, sources, select, defined, matrix, notes = [] }: RunInputs,
  kinds?: readonly Kind[],
): Promise<PreparedRun> {
  const isConnectorTyped = flags.connector !== undefined;
  // A resumed run gets the name of the log as a flag, also if it came from the configuration.
  const isNameTyped = flags.name !== undefined && flags.name !== config['name'];
  const prepared = await prepareRun({
    settings,
    sources,
    cwd,
    root,
    env,
    select,
    isConnectorTyped,
    isNameTyped,
    agent: flags.program?.agent,
    ...(kinds !== undefined && { kinds }),
  });
  redactor.learn(prepared.secrets);
  if (prepared.selectsAt !== undefined) refuseSelection(prepared.selectsAt, { settings, matrix });

  const tapes = await tapesOf(settings, prepared, cwd);
  const hooks = await hookFiles(settings, prepared, { cwd, suite: defined?.logged.definitions?.suite });
  return {
    ...prepared,
    tapes,
    files: [...prepared.files, ...(defined?.files ?? []), ...hooks, ...configFiles(root)],
    notes: [...notes, ...prepared.notes],
  };
}

/** A choice needs several variants, and a model that answers. */
function refuseSelection(
  at: string,
  { settings, matrix }: { settings: Settings; matrix: StartEvent['matrix'] },
): void {
  if (matrix === undefined)
    throw new ConfigError('"select_best" has nothing to choose from: the run has no matrix', {
      at,
      hint: 'vary something with --matrix Name=a,b, run a suite with a matrix, or remove the assertion',
    });
  if (settings.replay !== undefined && settings.record_missing !== true)
    throw new ConfigError('"select_best" asks a model after the run, which --replay cannot answer', { at });
}

/** Loads nothing for the many runs that neither record nor replay. */
async function tapesOf(
  settings: Settings,
  prepared: Prepared,
  cwd: string,
): Promise<TapeSettings | undefined> {
  const { record, replay, record_missing, replay_speed } = settings;
  if ((record ?? replay ?? replay_speed ?? record_missing) === undefined) return undefined;
  const { tapeSettings } = await import('../optional/tape-session.ts');
  return tapeSettings(settings, { prepared, cwd });
}

/** The files of the hooks around the run, which must be callable. */
async function hookFiles(
  settings: Settings,
  { targets: [target] }: Prepared,
  place: { cwd: string; suite?: SuiteDefinition | undefined },
): Promise<string[]> {
  if (target === undefined || (settings.before_all ?? settings.after_all) === undefined) return [];
  const { checkRunHooks } = await import('../optional/hooks.ts');
  return checkRunHooks(settings, target, place);
}
