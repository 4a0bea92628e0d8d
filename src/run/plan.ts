// Planning: four values, each made by one stage from those before it. After it, everything is known and nothing has run yet.

import { ConfigError } from '../errors.ts';
import type { Kind } from '../kinds/kind.ts';
import type { GradedFrom } from '../model/event.ts';
import type { RunSettings } from './deciding-settings.ts';
import { placeOfGates } from './deciding-settings.ts';
import { refuseChanges } from './earlier/logged-run.ts';
import type { Io } from './io.ts';
import type { RunApplication } from './planning/application.ts';
import { openRunApplication } from './planning/application.ts';
import type { RunInputs } from './planning/inputs.ts';
import { readInputs } from './planning/inputs.ts';
import type { PreparedRun } from './planning/prepared.ts';
import { prepareInputs } from './planning/prepared.ts';
import type { Focus, RunRequest } from './planning/request.ts';
import { makeRequest } from './planning/request.ts';
import type { GateNames } from './optional/gate-names.ts';
import type { CaseLimit } from './optional/limit-cases.ts';
import type { RunQuarantine } from './optional/quarantine.ts';
import { findQuarantine } from './quarantine-file.ts';
import type { TestFlags } from './request.ts';
import { isDeterministic } from '../model/subject.ts';
import { escapeControls } from '../text/untrusted.ts';

/** A caller that needs less takes only the parts it needs. */
export type RunPlan = {
  request: RunRequest;
  application: RunApplication;
  inputs: RunInputs;
  prepared: PreparedRun;
  /** The cases whose failures do not count; undefined if there is no file of them. */
  quarantine?: RunQuarantine | undefined;
  /** Set if recorded answers are judged: where they come from, and the kind that answers with them. */
  graded?: { from: GradedFrom; kinds: readonly Kind[] };
};

/** How recorded answers are judged. */
export type Grading = {
  from: GradedFrom;
  /** The settings without those that are about running an agent. */
  settings(settings: RunSettings): RunSettings;
  openKinds(application: RunApplication): readonly Kind[];
};

/** Reads and checks everything a run needs; throws ConfigError. Gives undefined if nothing is left to run again. */
export async function planRun(flags: TestFlags, io: Io, focus: Focus = {}): Promise<RunPlan | undefined> {
  const request = await makeRequest(flags, io, focus);
  return request === undefined ? undefined : planRequest(request, io);
}

/** Plans a request; with `grading`, recorded answers are judged and no agent is run. */
export async function planRequest(request: RunRequest, io: Io, grading?: Grading): Promise<RunPlan> {
  const { flags, focus } = request;
  const application = await openRunApplication(request, io);
  const read = focused(await readInputs(request, application, io), focus);
  const inputs = grading === undefined ? read : { ...read, settings: grading.settings(read.settings) };
  const graded = grading && { from: grading.from, kinds: grading.openKinds(application) };
  const quarantine = await findQuarantine(application, inputs.settings);
  const select = quarantine?.watching(inputs.select) ?? inputs.select;
  const gateNames = await watchedNames(inputs);
  const limit = await limitOf(inputs);
  const noted = gateNames?.watching(select) ?? select;
  const whole = await prepareInputs(
    request,
    application,
    {
      ...inputs,
      select: limit?.watching(noted) ?? noted,
    },
    graded?.kinds,
  );
  const limited = limit?.close(
    inputs.select,
    whole.targets.map(({ test_id }) => test_id),
  );
  const prepared =
    limited === undefined ? whole : { ...whole, total: limited.cases, attempts: limited.attempts };
  // With a focus only some tests are read.
  if (gateNames !== undefined && (focus.only ?? focus.cases) === undefined)
    gateNames.check(placeOfGates(inputs.settings.gates ?? [], { ...application, flags: request.flags }), {
      onlyAgents: prepared.targets.every(({ subject }) => !isDeterministic(subject.kind)),
    });
  if (quarantine !== undefined) {
    prepared.files.push(quarantine.file);
    prepared.notes.push(...quarantine.notes({ total: prepared.total, isWhole: isWhole(request, inputs) }));
  }

  for (const note of prepared.notes) io.stderr.write(`${escapeControls(note)}\n`);
  if (request.resumed !== undefined && flags.force !== true)
    refuseChanges(request.resumed.start, { prepared, defined: inputs.defined });
  const chosen = limited === undefined ? inputs : { ...inputs, select: limited.select };
  return {
    request,
    application,
    inputs: chosen,
    prepared,
    quarantine,
    ...(graded !== undefined && { graded }),
  };
}

/** Loads nothing for the many runs with all of their cases. */
async function limitOf({ settings }: RunInputs): Promise<CaseLimit | undefined> {
  const { first, sample, seed } = settings;
  if (first !== undefined && sample !== undefined)
    throw new ConfigError('--first and --sample choose cases in two ways', { hint: 'leave one of them out' });
  if (seed !== undefined && sample === undefined)
    throw new ConfigError('the seed is that of a sample, and there is none', {
      at: '--seed',
      hint: 'add --sample <n>, or leave it out',
    });
  if ((first ?? sample) === undefined) return undefined;
  const { limitCases } = await import('./optional/limit-cases.ts');
  return limitCases(settings);
}

/** Loads nothing for the many runs without a gate on a tag or a metric of their own. */
async function watchedNames({ settings: { gates = [] } }: RunInputs): Promise<GateNames | undefined> {
  if (!gates.some((gate) => gate.includes('[') || !OF_EVERY_RUN.test(gate))) return undefined;
  const { watchGateNames } = await import('./optional/gate-names.ts');
  return watchGateNames(gates);
}

/** The gates that need no name from a case. */
const OF_EVERY_RUN = /^\s*(?:cost|latency_\w+|pass_rate)\s*[<>=]/;

/** The inputs with only those cases that the focus is on. */
function focused(inputs: RunInputs, { cases }: Focus): RunInputs {
  if (cases === undefined) return inputs;
  return { ...inputs, select: (...args) => inputs.select(...args) && cases(...args) };
}

/** True if the run has all cases of its tests. */
function isWhole({ only, focus }: RunRequest, { settings }: RunInputs): boolean {
  const { run, tags, first, sample } = settings;
  return (only ?? focus.only ?? focus.cases ?? run ?? first ?? sample) === undefined && tags.length === 0;
}
