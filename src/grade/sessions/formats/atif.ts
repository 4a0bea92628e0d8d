// The Agent Trajectory Interchange Format of Harbor and Terminal-Bench, versions 1.x: one JSON document per session.

import { basename, dirname } from 'node:path';
import { isObject } from '../../../json/is-object.ts';
import { isCount, toUsage } from '../../../model/spending.ts';
import type { Fields, SessionFile } from '../session-file.ts';
import { SessionBuilder } from '../session-builder.ts';
import type { Session } from '../session.ts';
import { contentText, fieldsOf, listOf, textOf } from './fields.ts';
import type { SessionReader } from './format.ts';

const KNOWN = /^ATIF-v1\.\d+$/;
const SOURCES = ['system', 'user', 'agent'];

export const atif: SessionReader = {
  title: 'an ATIF trajectory',
  recognises: ({ schema_version: version }) => typeof version === 'string' && version.startsWith('ATIF'),
  async open(file) {
    const sessions: Session[] = [];
    for await (const { value, line } of file.values()) {
      const builder = readTrajectory(value, file, line);
      const id = textOf(value['session_id']) ?? textOf(value['trajectory_id']) ?? file.title;
      const position = sessions.length;
      sessions.push({
        id,
        names: [file.title, textOf(value['trajectory_id']), ...trialNames(file)].filter(
          (name) => name !== undefined,
        ),
        format: 'atif',
        agent: textOf(fieldsOf(value['agent'])['name']) ?? 'agent',
        input: builder.input,
        file: file.name,
        read: async () => (await trajectoryAt(file, position)).finish(),
      });
    }
    return sessions;
  },
};

/** Harbor writes `<trial>/agent/trajectory.json`; a trial is called `<task>__<random>`. */
function trialNames(file: SessionFile): string[] {
  const folder = dirname(file.path);
  const trial = basename(folder) === 'agent' ? basename(dirname(folder)) : basename(folder);
  const [task = trial] = trial.split('__');
  return file.title === 'trajectory' ? [trial, task] : [];
}

async function trajectoryAt(file: SessionFile, wanted: number): Promise<SessionBuilder> {
  let position = 0;
  for await (const { value, line } of file.values()) {
    if (position === wanted) return readTrajectory(value, file, line);
    position += 1;
  }
  throw new Error(`${file.name} has changed while it was graded`);
}

function readTrajectory(trajectory: Fields, file: SessionFile, line: number): SessionBuilder {
  const { schema_version: version, steps } = trajectory;
  if (typeof version !== 'string' || !KNOWN.test(version))
    throw file.problem(line, `the version ${JSON.stringify(version)} is not known`, 'expected ATIF-v1.x');
  if (!Array.isArray(steps)) throw file.problem(line, 'a trajectory needs a list "steps"');
  const builder = new SessionBuilder();
  const totals = addSteps(builder, trajectory, file, line);
  const final = fieldsOf(trajectory['final_metrics']);
  const usage = toUsage({
    input_tokens: final['total_prompt_tokens'],
    output_tokens: final['total_completion_tokens'],
  });
  const cost = isCount(final['total_cost_usd']) ? final['total_cost_usd'] : totals.cost;
  builder.spend(usage ?? totals.usage, cost);
  if (builder.isEmpty) throw file.problem(line, 'the trajectory has no messages');
  return builder;
}

/** Adds the steps of a trajectory, and the calls of the agents below it. */
function addSteps(
  builder: SessionBuilder,
  trajectory: Fields,
  file: SessionFile,
  line: number,
): Pick<SessionBuilder, 'cost' | 'usage'> {
  const totals = new SessionBuilder();
  for (const [index, step] of (trajectory['steps'] as unknown[]).entries()) {
    const where = `steps[${index}]`;
    if (!isObject(step)) throw file.problem(line, `${where} must be an object`);
    if (!SOURCES.includes(String(step['source'])))
      throw file.problem(line, `${where}.source must be system, user or agent`);
    addStep(builder, step, totals);
  }
  for (const below of listOf(trajectory['subagent_trajectories'])) addCalls(builder, below);
  return totals;
}

function addStep(builder: SessionBuilder, step: Fields, totals: SessionBuilder): void {
  builder.at(step['timestamp']);
  const text = contentText(step['message']);
  if (step['source'] === 'system') return builder.system(text);
  if (step['source'] === 'user') return builder.user(text);
  builder.assistant(text);
  // Steps of an earlier trajectory were counted there.
  if (step['is_copied_context'] === true) return;
  addTools(builder, step);
  const metrics = fieldsOf(step['metrics']);
  totals.spend(toUsage(metrics), isCount(metrics['cost_usd']) ? metrics['cost_usd'] : undefined);
}

function addCalls(builder: SessionBuilder, trajectory: Fields): void {
  for (const step of listOf(trajectory['steps'])) if (step['source'] === 'agent') addTools(builder, step);
  for (const below of listOf(trajectory['subagent_trajectories'])) addCalls(builder, below);
}

function addTools(builder: SessionBuilder, step: Fields): void {
  const calls = listOf(step['tool_calls']);
  for (const call of calls)
    builder.call(textOf(call['tool_call_id']), textOf(call['function_name']) ?? 'unknown', call['arguments']);
  const results = listOf(fieldsOf(step['observation'])['results']);
  for (const result of results) {
    // A single call needs no id to be known by.
    const only = calls.length === 1 ? calls[0]?.['tool_call_id'] : undefined;
    builder.result(textOf(result['source_call_id'] ?? only), { result: contentText(result['content']) });
  }
}
