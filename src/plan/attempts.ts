// A case becomes its attempts: who asks, which agent, how long it may take.

import type { Attempt, Kind, Target } from '../model/attempt.ts';
import type { LoadedCase, TestCase } from '../model/case.ts';
import type { Authorized, ContextData, ContextFile } from '../model/context.ts';
import { defaultChatId } from '../model/context.ts';
import { DEFAULTS, timeoutOf } from '../model/settings.ts';
import { parseDuration } from '../text/duration.ts';
import { attemptKey } from './key.ts';

/** What all attempts of a run share. */
export type PlanOptions = {
  targets: readonly Target[];
  context: ContextFile;
  settings: { runs: number; timeout_ms?: number; user?: string; team?: string; connector?: string };
};

/** The attempt number `run` (from 1) of a case. */
export function attemptOf(loaded: LoadedCase, run: number, options: PlanOptions): Attempt {
  const target = targetOf(loaded, options);
  const kind = kindOf(target.agent.run);
  const { variables } = target;
  const key = attemptKey(target.test_id, loaded.case.id, run, variables?.variant);
  const attempt: Attempt = {
    key,
    kind,
    test_id: target.test_id,
    case: loaded.case,
    run,
    agent: target.agent,
    context: contextOf(loaded, key, { kind, agentId: target.agent.id }, options),
    timeout_ms:
      loaded.case.timeout === undefined
        ? (target.timeout_ms ?? timeoutOf(kind, options.settings))
        : parseDuration(loaded.case.timeout),
    base: target.base,
    root: target.root,
    line: loaded.line,
  };
  if (variables === undefined) return attempt;
  const { values, dates } = variables;
  attempt.variables = values;
  attempt.context.variables = values;
  if (dates.length > 0) attempt.context.dates = dates;
  return attempt;
}

/** What a case is run against. */
export function targetOf(loaded: LoadedCase, { targets }: Pick<PlanOptions, 'targets'>): Target {
  const target = targets[loaded.input];
  if (target === undefined) throw new Error(`no target for input ${String(loaded.input)}`);
  return target;
}

/** What kind of test an input is, or what an agent, or what stands in its place, is for. */
export function kindOf({ type }: { type: string }): Kind {
  return type === 'script' || type === 'skill' ? type : 'agent-eval';
}

/**
 * User and team: defaults < `--ctx` file < case < `-u`/`-t`; for script tests the file wins over the flags. What a case does
 * not change is the same object for all.
 */
function contextOf(
  loaded: LoadedCase,
  key: string,
  { kind, agentId }: { kind: Kind; agentId: string },
  options: PlanOptions,
): ContextData {
  const { context: file, settings } = options;
  const { case: testCase } = loaded;
  const base = kind === 'script' ? scriptContext(options) : baseContext(options);
  const isOwn = (testCase.user ?? testCase.team) !== undefined;
  return {
    ...base,
    chat_id: file.chat_id ?? defaultChatId(key),
    assistant_id: agentId,
    authorized: isOwn ? authorizedOf(file, settings, testCase) : base.authorized,
    metadata: testCase.metadata === undefined ? base.metadata : { ...file.metadata, ...testCase.metadata },
  };
}

const scripts = new WeakMap<PlanOptions, ContextData>();

function scriptContext(options: PlanOptions): ContextData {
  const known = scripts.get(options);
  if (known !== undefined) return known;
  const base = baseContext(options);
  const { user_id: user = base.authorized.user_id, team_id: team = base.authorized.team_id } =
    options.context.authorized ?? {};
  const context = {
    ...base,
    authorized: {
      ...base.authorized,
      sub: options.context.authorized?.sub ?? user,
      user_id: user,
      team_id: team,
    },
  } as ContextData;
  scripts.set(options, context);
  return context;
}

const bases = new WeakMap<PlanOptions, ContextData>();

function baseContext(options: PlanOptions): ContextData {
  const known = bases.get(options);
  if (known !== undefined) return known;
  const { context: file, settings } = options;
  const base: ContextData = {
    chat_id: '',
    assistant_id: '',
    authorized: authorizedOf(file, settings, {}),
    metadata: file.metadata ?? {},
    client: { type: DEFAULTS.client_type, ip: DEFAULTS.client_ip, ...file.client },
    locale: file.locale ?? DEFAULTS.locale,
    referer: file.referer ?? DEFAULTS.referer,
    accept: file.accept ?? DEFAULTS.accept,
  };
  bases.set(options, base);
  return base;
}

function authorizedOf(
  file: ContextFile,
  settings: PlanOptions['settings'],
  testCase: Pick<TestCase, 'user' | 'team'>,
): Authorized {
  const user = settings.user ?? testCase.user ?? file.authorized?.user_id ?? DEFAULTS.user;
  const team = settings.team ?? testCase.team ?? file.authorized?.team_id ?? DEFAULTS.team;
  return { sub: user, ...file.authorized, user_id: user, team_id: team };
}
