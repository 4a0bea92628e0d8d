// Planning: four values, each made by one stage from those before it. After it, everything is known and nothing has run yet.

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
import type { TestFlags } from './request.ts';
import { escapeControls } from '../text/untrusted.ts';

/** A caller that needs less takes only the parts it needs. */
export type RunPlan = {
  request: RunRequest;
  application: RunApplication;
  inputs: RunInputs;
  prepared: PreparedRun;
};

/** Reads and checks everything a run needs; throws ConfigError. Gives undefined if nothing is left to run again. */
export async function planRun(flags: TestFlags, io: Io, focus: Focus = {}): Promise<RunPlan | undefined> {
  const request = await makeRequest(flags, io, focus);
  if (request === undefined) return undefined;
  const application = await openRunApplication(request, io);
  const inputs = await readInputs(request, application, io);
  const prepared = await prepareInputs(request, application, inputs);

  for (const note of prepared.notes) io.stderr.write(`${escapeControls(note)}\n`);
  if (request.resumed !== undefined && flags.force !== true)
    refuseChanges(request.resumed.start, { prepared, defined: inputs.defined });
  return { request, application, inputs, prepared };
}
