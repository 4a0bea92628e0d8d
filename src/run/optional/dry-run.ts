// Shows what a run would consist of; executes nothing.

import { openSync, closeSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError, describeProblem, messageOf, RuntimeError } from '../../errors.ts';
import type { PlannedTest } from '../../kinds/kind.ts';
import { parallelOf } from '../../kinds/kind.ts';
import { kindById } from '../../kinds/registry.ts';
import type { Attempt } from '../../model/attempt.ts';
import type { KindId } from '../../model/subject.ts';
import { attemptOf, targetOf } from '../../plan/attempts.ts';
import { formatGoDuration } from '../../text/duration.ts';
import { oneLine } from '../../text/untrusted.ts';
import { refuseTooMany } from '../attempt-limit.ts';
import type { Io } from '../io.ts';
import { outputPlaces } from '../outputs/output-paths.ts';
import { shortPath } from '../../platform/paths.ts';
import type { RunPlan } from '../plan.ts';
import { createTwinFinder, savedCase } from '../../kinds/agent/cases/saved-cases.ts';
import { makeFolder } from '../../platform/make-folder.ts';

/** One case of the plan. */
type PlannedCase = {
  id: string;
  test_id: string;
  kind: KindId;
  agent_id: string;
  runs: number;
  timeout: string;
  tags?: string[];
  description?: string;
  skip?: boolean;
  variables?: Record<string, unknown>;
  /** Of a skill test. */
  file?: string;
};

/** Prints the plan, as JSON with `--json`; `-o cases.jsonl` saves the selected cases themselves. */
export async function dryRun(plan: RunPlan, io: Io): Promise<number> {
  const { request, application, inputs, prepared } = plan;
  const { settings } = inputs;
  const { redactor } = application;
  const isJson = request.flags.json === true;
  const isDefined = inputs.defined !== undefined;
  const destinations = outputPlaces(plan, io, 'cases').map((place) => openText(place, io));
  const twins = createTwinFinder();
  const planned: PlannedCase[] = [];
  if (!isJson) io.stdout.write(`${heading(plan)}\n\n`);
  for await (const batch of prepared.cases()) {
    let text = '';
    for (const loaded of batch) {
      const target = targetOf(loaded, prepared);
      if (!inputs.select(loaded.case, target)) continue;
      const { case: testCase } = loaded;
      const attempt = attemptOf(loaded, 1, {
        targets: prepared.targets,
        context: prepared.context,
        settings,
      });
      const kind = kindById(attempt.subject.kind);
      const test = kind.describe(attempt);
      const line = plannedCase(attempt, test, target.runs ?? settings.runs);
      if (isJson) planned.push(redactor.redact(line));
      else text += redactor.text(`${describe(line, test, isDefined && kind.hasInput === true)}\n`);
      // Only cases with an input can be run from a list.
      if (kind.hasInput !== true) continue;
      if (destinations.length > 0) twins.add(testCase.id);
      for (const { folder, write } of destinations)
        write(`${JSON.stringify(savedCase(testCase, target, folder))}\n`);
    }
    if (text !== '') io.stdout.write(text);
  }
  for (const destination of destinations) destination.close();
  const note = twins.note();
  if (note !== undefined) io.stderr.write(`${oneLine(redactor.text(note))}\n`);
  tellRefusal(plan, io);
  if (isJson) {
    const document = {
      total_cases: prepared.total,
      runs_per_case: settings.runs,
      total_runs: prepared.attempts,
      cases: planned,
    };
    io.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  }
  return 0;
}

function plannedCase(attempt: Attempt, test: PlannedTest, runs: number): PlannedCase {
  const { case: testCase } = attempt;
  return {
    id: testCase.id,
    test_id: attempt.test_id,
    kind: attempt.subject.kind,
    agent_id: attempt.subject.id,
    runs,
    ...(attempt.variables === undefined ? {} : { variables: attempt.variables }),
    timeout: formatGoDuration(attempt.timeout_ms),
    ...(testCase.tags === undefined ? {} : { tags: testCase.tags }),
    ...(testCase.description === undefined ? {} : { description: testCase.description }),
    ...(testCase.skip === true || test.skipped !== undefined ? { skip: true } : {}),
    ...(test.file === undefined ? {} : { file: test.file }),
  };
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

function heading({ inputs: { settings, sources }, prepared }: RunPlan): string {
  const kinds = new Set(prepared.targets.map(({ subject }) => subject.kind));
  const [first = 'agent-eval'] = kinds;
  const kind = kindById(kinds.size === 1 ? first : 'agent-eval');
  const parallel = parallelOf(kind, settings.parallel);
  const unit = kind.parallelUnit !== undefined && parallel > 1 ? ` ${kind.parallelUnit}` : '';
  const { noun } = kind;
  const cases = `${String(prepared.total)} ${noun}${prepared.total === 1 ? '' : 's'}`;
  const { attempts } = prepared;
  const isUniform = attempts === prepared.total * settings.runs;
  const most = settings.rule === undefined ? '' : 'up to ';
  const runs = isUniform ? ` × ${most}${String(settings.runs)} runs` : '';
  const times = attempts === prepared.total ? '' : `${runs} = ${most}${String(attempts)} attempts`;
  const isGenerated = sources.some((source) => source.type === 'file' && source.generated !== undefined);
  const done = isGenerated ? 'Nothing is executed but the generator.' : 'Nothing is executed.';
  return `Plan: ${cases}${times}, ${String(parallel)}${unit} at a time. ${done}`;
}

function describe(planned: PlannedCase, { what, skipped }: PlannedTest, namesTest: boolean): string {
  const { id, test_id, timeout, tags, skip, description, variables = {} } = planned;
  const tested = namesTest ? `test ${test_id}; ${what}` : what;
  const notes = skipped === undefined ? [tested, `timeout ${timeout}`] : [];
  notes.push(...Object.entries(variables).map(([name, value]) => `${name}=${String(value)}`));
  if (tags !== undefined && tags.length > 0) notes.push(`tags ${tags.join(', ')}`);
  if (skip === true) notes.push(skipped ?? 'skipped');
  const about = description === undefined ? '' : `  ${oneLine(description)}`;
  return `  ${oneLine(id)}  (${notes.map((note) => oneLine(note)).join('; ')})${about}`;
}

/** `folder` is where relative files start from when the cases are read again. */
type Destination = { folder: string; write(text: string): void; close(): void };

/** The first case opens the file, so that without cases no file is written. */
function openText(path: string, io: Io): Destination {
  if (path === '-')
    return { folder: io.cwd, write: (text) => void io.stdout.write(text), close: () => undefined };
  let file: number | undefined;
  const open = (): number => {
    try {
      makeFolder(dirname(path));
      return openSync(path, 'w');
    } catch (cause) {
      throw new RuntimeError(`cannot write ${path}: ${messageOf(cause)}`, { cause });
    }
  };
  return {
    folder: dirname(path),
    write: (text) => void writeSync((file ??= open()), text),
    close() {
      const name = shortPath(path, io.cwd);
      if (file === undefined) io.stderr.write(`${name} is not written: only cases can be saved\n`);
      else io.stderr.write(`Cases: ${name}\n`);
      if (file !== undefined) closeSync(file);
    },
  };
}
