// A case becomes its attempts: who asks, which agent, how long it may take.

import type { Attempt, Target } from '../model/attempt.ts';
import { subjectOf } from '../model/attempt.ts';
import type { LoadedCase, TestCase } from '../model/case.ts';
import type { Authorized, ContextData, ContextFile } from '../model/context.ts';
import { defaultChatId } from '../model/context.ts';
import { DEFAULTS } from '../model/settings.ts';
import { parseDuration } from '../text/duration.ts';
import { caseSha } from './case-sha.ts';
import { attemptKey } from './key.ts';

/** The part that all attempts of a run share. */
export type PlanOptions = {
  targets: readonly Target[];
  context: ContextFile;
  settings: { runs: number; user?: string; team?: string; connector?: string };
};

/** The attempt number `run` (from 1) of a case. */
export function attemptOf(loaded: LoadedCase, run: number, options: PlanOptions): Attempt {
  const target = targetOf(loaded, options);
  const { variables } = target;
  const subject = subjectOf(target, loaded.case);
  const key = attemptKey(target.test_id, loaded.case.id, run, variables?.variant);
  const attempt: Attempt = {
    key,
    test_id: target.test_id,
    case: loaded.case,
    case_sha: (loaded.sha ??= caseSha(loaded.case)),
    run,
    subject,
    context: contextOf(loaded, key, target.subjects === undefined ? target : { ...target, subject }, options),
    timeout_ms: loaded.case.timeout === undefined ? target.timeout_ms : parseDuration(loaded.case.timeout),
    base: target.base,
    root: target.root,
    line: loaded.line,
  };
  if (loaded.position !== undefined) attempt.position = loaded.position;
  if (variables === undefined) return attempt;
  const { values, dates } = variables;
  attempt.variables = values;
  attempt.context.variables = values;
  if (dates.length > 0) attempt.context.dates = dates;
  return attempt;
}

/** The target of a case. */
export function targetOf(loaded: LoadedCase, { targets }: Pick<PlanOptions, 'targets'>): Target {
  const target = targets[loaded.input];
  if (target === undefined) throw new Error(`no target for input ${String(loaded.input)}`);
  return target;
}

/**
 * User and team: defaults < `--ctx` file < case < `-u`/`-t`, unless the target prefers the file. Cases that change nothing share
 * their parts of the context.
 */
function contextOf(
  loaded: LoadedCase,
  key: string,
  { subject, prefersContextFile }: Target,
  options: PlanOptions,
): ContextData {
  const { context: file, settings } = options;
  const { case: testCase } = loaded;
  const base = prefersContextFile === true ? fileFirstContext(options) : baseContext(options);
  const isOwn = (testCase.user ?? testCase.team) !== undefined;
  return {
    ...base,
    chat_id: file.chat_id ?? defaultChatId(key),
    assistant_id: subject.id,
    authorized: isOwn ? authorizedOf(file, settings, testCase) : base.authorized,
    metadata: testCase.metadata === undefined ? base.metadata : { ...file.metadata, ...testCase.metadata },
  };
}

const fileFirst = new WeakMap<PlanOptions, ContextData>();

function fileFirstContext(options: PlanOptions): ContextData {
  const known = fileFirst.get(options);
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
  fileFirst.set(options, context);
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
    ...(file.theme !== undefined && { theme: file.theme }),
    ...(file.route !== undefined && { route: file.route }),
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
