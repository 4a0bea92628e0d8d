// Planning: four values, each made by one stage from those before it. After it, everything is known and nothing has run yet.

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
import type { GateTags } from './optional/gate-tags.ts';
import type { RunQuarantine } from './optional/quarantine.ts';
import { findQuarantine } from './quarantine-file.ts';
import type { TestFlags } from './request.ts';
import { escapeControls } from '../text/untrusted.ts';

/** A caller that needs less takes only the parts it needs. */
export type RunPlan = {
  request: RunRequest;
  application: RunApplication;
  inputs: RunInputs;
  prepared: PreparedRun;
  /** The cases whose failures do not count; undefined if there is no file of them. */
  quarantine?: RunQuarantine | undefined;
};

/** Reads and checks everything a run needs; throws ConfigError. Gives undefined if nothing is left to run again. */
export async function planRun(flags: TestFlags, io: Io, focus: Focus = {}): Promise<RunPlan | undefined> {
  const request = await makeRequest(flags, io, focus);
  if (request === undefined) return undefined;
  const application = await openRunApplication(request, io);
  const inputs = await readInputs(request, application, io);
  const quarantine = await findQuarantine(application, inputs.settings);
  const select = quarantine?.watching(inputs.select) ?? inputs.select;
  const gateTags = await watchedTags(inputs);
  const prepared = await prepareInputs(request, application, {
    ...inputs,
    select: gateTags?.watching(select) ?? select,
  });
  // With a focus only some tests are read.
  if (gateTags !== undefined && focus.only === undefined)
    gateTags.check(placeOfGates(inputs.settings.gates ?? [], { ...application, flags: request.flags }));
  if (quarantine !== undefined) {
    prepared.files.push(quarantine.file);
    prepared.notes.push(...quarantine.notes({ total: prepared.total, isWhole: isWhole(request, inputs) }));
  }

  for (const note of prepared.notes) io.stderr.write(`${escapeControls(note)}\n`);
  if (request.resumed !== undefined && flags.force !== true)
    refuseChanges(request.resumed.start, { prepared, defined: inputs.defined });
  return { request, application, inputs, prepared, quarantine };
}

/** Loads nothing for the many runs without a gate on a tag. */
async function watchedTags({ settings: { gates = [] } }: RunInputs): Promise<GateTags | undefined> {
  if (!gates.some((gate) => gate.includes('['))) return undefined;
  const { watchGateTags } = await import('./optional/gate-tags.ts');
  return watchGateTags(gates);
}

/** True if the run has all cases of its tests. */
function isWhole({ only, focus }: RunRequest, { settings: { run, tags } }: RunInputs): boolean {
  return (only ?? focus.only ?? run) === undefined && tags.length === 0;
}
