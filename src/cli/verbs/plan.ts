// `assay plan`: what a run would cost and show. The run is planned as `assay test` plans it, and not executed.

import { rmSync } from 'node:fs';
import { parsePositive } from '../../application/options/parsers.ts';
import type { FlagsOf } from '../../application/options/options.ts';
import { ConfigError, describeProblem } from '../../errors.ts';
import { EXIT } from '../../model/exit-code.ts';
import { caseNoun } from '../../report/text/run-words.ts';
import { announceMatrix, refuseTooMany } from '../../run/attempt-limit.ts';
import { generatorOf } from '../../run/inputs/inputs.ts';
import { isRunsSet } from '../../run/deciding-settings.ts';
import type { Io } from '../../run/io.ts';
import type { RunPlan } from '../../run/plan.ts';
import { planRun } from '../../run/plan.ts';
import type { TestFlags } from '../../run/request.ts';
import { oneLine } from '../../text/untrusted.ts';
import { programName } from '../../platform/how-started.ts';

type PlanFlags = FlagsOf<'plan.run' | 'plan.test'> & TestFlags;

/** The drop that a run should show, in points, if the user names none. */
const USUAL_MARGIN = 5;

export async function planCommand(flags: PlanFlags, io: Io): Promise<number> {
  refuseFlags(flags);
  // Without a comparison, the margin is a question to the plan, and the run knows no margin.
  const { margin, ...others } = flags;
  const plan = await planRun(flags.against === undefined ? others : flags, io);
  if (plan === undefined) {
    io.stderr.write('Nothing to run again: every case passed.\n');
    return EXIT.passed;
  }
  try {
    return await showForecast(plan, { margin, json: flags.json === true }, io);
  } finally {
    removeSpooled(plan);
  }
}

async function showForecast(
  plan: RunPlan,
  { margin: typed, json }: { margin: string | undefined; json: boolean },
  io: Io,
): Promise<number> {
  const { forecastRun } = await import('../../run/forecast/forecast-run.ts');
  announceMatrix(plan, io);
  const { against, confirm, margin: known, min_pass_rate: minPassRate, budget } = plan.inputs.settings;
  const margin = against === undefined ? marginOf(typed) : (known ?? USUAL_MARGIN);
  const compared = against === undefined ? undefined : comparedRounds(plan);
  const forecast = await forecastRun(compared?.plan ?? plan, { against, margin }, io);
  if (json) {
    const rounds = compared === undefined ? {} : { rounds: { least: 1, most: compared.mostRounds } };
    io.stdout.write(`${JSON.stringify({ ...forecast, ...rounds }, null, 2)}\n`);
  } else {
    const { forecastText } = await import('../../run/forecast/words.ts');
    const noun = caseNoun({ inputs: plan.prepared.inputs });
    const shown = against === undefined ? undefined : oneLine(against);
    const { mostRounds, isRunsGiven = false } = compared ?? {};
    const rounds = { mostRounds, isRunsGiven, fresh: confirm };
    io.stdout.write(forecastText(forecast, { noun, against: shown, minPassRate, budget, ...rounds }));
  }
  tellRefusal(plan, io);
  return EXIT.passed;
}

type ComparedRounds = { plan: RunPlan; mostRounds: number; isRunsGiven: boolean };

/** How many rounds a comparison takes depends on what it finds: one is planned, or as many as the user asks for. */
function comparedRounds(plan: RunPlan): ComparedRounds {
  const { request, application, inputs } = plan;
  const { runs: mostRounds, max_runs } = inputs.settings;
  const { env, config } = application;
  const isRunsGiven = max_runs === undefined && isRunsSet({ flags: request.flags, env, config });
  if (isRunsGiven) return { plan, mostRounds, isRunsGiven };
  const one = { ...plan, inputs: { ...inputs, settings: { ...inputs.settings, runs: 1 } } };
  return { plan: one, mostRounds, isRunsGiven };
}

function marginOf(text: string | undefined): number {
  if (text === undefined) return USUAL_MARGIN;
  const parsed = parsePositive(text);
  if ('value' in parsed && parsed.value <= 100) return parsed.value;
  throw new ConfigError(
    `must be points of the pass rate, above 0 and at most 100, not ${JSON.stringify(text)}`,
    {
      at: '--margin',
    },
  );
}

/** Flags that say what to do with a run, where there is no run. */
function refuseFlags({ watch, dryRun, input = [] }: PlanFlags): void {
  if (watch === true)
    throw new ConfigError('assay plan looks once and cannot watch', { at: '--watch', hint: 'leave it out' });
  if (dryRun === true)
    throw new ConfigError('assay plan executes nothing anyway', {
      at: '--dry-run',
      hint: `leave it out; ${programName()} test --dry-run lists the cases`,
    });
  const generator = input.find((value) => generatorOf(value) !== undefined);
  if (generator !== undefined)
    throw new ConfigError(`the cases of ${JSON.stringify(generator)} are known only after it has run`, {
      at: '-i',
      hint: `save them with ${programName()} test -i ${JSON.stringify(generator)} --dry-run -o cases.jsonl, and plan with -i cases.jsonl`,
    });
}

/** The run itself would be refused, which is better known now. */
function tellRefusal(plan: RunPlan, io: Io): void {
  try {
    refuseTooMany(plan);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    io.stderr.write(`${describeProblem(error)}\n`);
  }
}

/** Standard input was kept in a file for a run that does not follow. */
function removeSpooled({ application }: RunPlan): void {
  for (const input of application.named)
    if (input.type === 'file' && input.stdin === true) rmSync(input.path, { force: true });
}
