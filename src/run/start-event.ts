// The first event of a run log: what was asked for, and where it was run.

import type { ResumeEvent, StartEvent } from '../model/event.ts';
import { subjectIds } from '../model/attempt.ts';
import { LOG_VERSION } from '../model/event.ts';
import { DEFAULTS } from '../model/settings.ts';
import { testedAgent } from '../model/subject.ts';
import { CONNECTOR_NAMES } from '../model/axis-names.ts';
import { loggedFlags } from './earlier/logged-run.ts';
import { judgeFingerprint } from './judge-files.ts';
import type { RunPlan } from './plan.ts';

/** A new run begins with `start`, a resumed run with `resume`. */
export function openingEvent(
  plan: RunPlan,
  { runId, origin, version }: { runId: string; origin: StartEvent['origin']; version: string },
): StartEvent | ResumeEvent {
  const timestamp = new Date().toISOString();
  if (plan.request.resumed !== undefined) {
    const { runs } = plan.request.resumed;
    return { type: 'resume', run_id: runId, timestamp, ...(runs !== undefined && { runs }) };
  }

  const { request, application, inputs, prepared } = plan;
  const { settings, defined, values, matrix } = inputs;
  const isConnectorDefault = settings.connector !== undefined && request.flags.connector === undefined;
  const judge = judgeFingerprint(prepared.judges, application.root);
  return {
    type: 'start',
    timestamp,
    agent_id: [...new Set(prepared.targets.flatMap(subjectIds))].join(', '),
    total_cases: prepared.total,
    run_id: runId,
    log_version: LOG_VERSION,
    runs_per_case: settings.runs,
    ...(settings.rule !== undefined && { runs_rule: settings.rule }),
    ...connectorOf(plan),
    ...(judge !== undefined && { judge_sha256: judge }),
    environment: environmentOf(plan),
    ...(request.flags.program?.isolation !== undefined && { isolation: request.flags.program.isolation }),
    inputs: prepared.inputs,
    flags: loggedFlags({
      settings,
      only: request.only,
      defined,
      values,
      isConnectorDefault,
      isPairwise: request.flags.pairwise,
    }),
    cwd: application.cwd,
    version,
    ...(settings.note !== undefined && { note: settings.note }),
    ...(matrix !== undefined && { matrix }),
    ...defined?.logged,
    ...(plan.graded !== undefined && { graded: plan.graded.from }),
    origin,
  };
}

/** For some kinds of tests the context file wins over the flags. */
function environmentOf({ inputs: { settings }, prepared }: RunPlan): StartEvent['environment'] {
  const { user_id: user, team_id: team } = prepared.context.authorized ?? {};
  const isFileFirst = prepared.targets.every((target) => target.prefersContextFile === true);
  const first = <T>(flag: T | undefined, file: T | undefined): T | undefined =>
    isFileFirst ? (file ?? flag) : (flag ?? file);
  return {
    user_id: first(settings.user, user) ?? DEFAULTS.user,
    team_id: first(settings.team, team) ?? DEFAULTS.team,
    locale: prepared.context.locale ?? DEFAULTS.locale,
  };
}

/** The connector, if the whole run has only one. */
function connectorOf({ inputs: { settings, matrix = {} }, prepared }: RunPlan): { connector?: string } {
  if (CONNECTOR_NAMES.some((name) => Object.hasOwn(matrix, name))) return {};
  const chosen = prepared.targets.map(({ subject }) => {
    const agent = testedAgent(subject);
    return agent?.chosen?.connector ?? agent?.connector ?? agent?.defaults?.connector;
  });
  const isOne = chosen.every((connector) => connector === chosen[0]);
  const connector = settings.connector ?? (isOne ? chosen[0] : undefined);
  return connector === undefined ? {} : { connector };
}
