// The fields of a case that make it a conversation: turns that are written down, or a simulator with checkpoints.

import type { CheckDeps } from '../../../judge/assertion.ts';
import { checkAssertions } from '../../../judge/check.ts';
import { isObject } from '../../../json/is-object.ts';
import { didYouMean } from '../../../text/nearest.ts';
import { checkCaseInput } from './case-input.ts';
import type { CaseProblem } from './case.ts';
import { quoted } from './quoted.ts';

const CONVERSATION_FIELDS = ['simulator', 'checkpoints', 'max_turns', 'turns'];
const SIMULATOR_FIELDS = ['options', 'use'];
const CHECKPOINT_FIELDS = ['after', 'assert', 'description', 'id', 'required'];
const TURN_FIELDS = ['assert', 'input'];
const MAX_TURNS = 1000;

/** True if a field belongs to a conversation, which is then checked as a whole. */
export function isConversationField(name: string): boolean {
  return CONVERSATION_FIELDS.includes(name);
}

/** Everything that is wrong with the conversation of a case. */
export function checkConversation(fields: Record<string, unknown>, deps: CheckDeps): CaseProblem[] {
  const { simulator, checkpoints, max_turns, turns } = fields;
  const problems: CaseProblem[] = [];
  if (turns !== undefined) {
    for (const other of ['simulator', 'checkpoints', 'max_turns']) {
      if (fields[other] === undefined) continue;
      const hint = 'turns are written down, a simulator makes them up';
      problems.push({ message: `"turns" and "${other}" exclude each other`, hint });
    }
    return [...problems, ...checkTurns(turns, deps)];
  }
  if (simulator === undefined) {
    const hint = 'add "simulator": {"use": "agents:<id>"}';
    const alone = checkpoints === undefined ? 'max_turns' : 'checkpoints';
    return [{ message: `"${alone}" needs a "simulator"`, hint }];
  }
  const isCount = Number.isInteger(max_turns) && Number(max_turns) >= 1 && Number(max_turns) <= MAX_TURNS;
  if (max_turns !== undefined && !isCount) {
    problems.push({ message: `"max_turns" must be a whole number from 1 to ${String(MAX_TURNS)}` });
  }
  return [...problems, ...checkSimulator(simulator), ...checkCheckpoints(checkpoints, deps)];
}

function checkTurns(turns: unknown, deps: CheckDeps): CaseProblem[] {
  if (!Array.isArray(turns) || turns.length === 0)
    return [{ message: '"turns" must be a list of {input, assert}' }];
  return turns.flatMap((turn: unknown, index): CaseProblem[] => {
    const at = `turns[${String(index)}]`;
    if (!isObject(turn)) return [{ message: `"${at}" must be an object with "input"` }];
    const input =
      turn['input'] === undefined ? [{ message: '"input" is missing' }] : checkCaseInput(turn['input']);
    return within(at, [
      ...unknownFields(turn, TURN_FIELDS),
      ...input,
      ...checkAssertions(turn['assert'], deps),
    ]);
  });
}

function checkSimulator(simulator: unknown): CaseProblem[] {
  if (!isObject(simulator))
    return [{ message: '"simulator" must be an object such as {"use": "agents:<id>"}' }];
  const { use, options } = simulator;
  const problems = unknownFields(simulator, SIMULATOR_FIELDS);
  if (typeof use !== 'string' || use === '') {
    problems.push({ message: '"use" must name the agent that plays the user: "agents:<id>"' });
  }
  if (options !== undefined && !isObject(options)) problems.push({ message: '"options" must be an object' });
  else if (options?.['metadata'] !== undefined && !isObject(options['metadata'])) {
    problems.push({ message: '"options.metadata" must be an object such as {"persona": …, "goal": …}' });
  }
  return within('simulator', problems);
}

function checkCheckpoints(checkpoints: unknown, deps: CheckDeps): CaseProblem[] {
  if (!Array.isArray(checkpoints) || checkpoints.length === 0) {
    return [{ message: 'a "simulator" needs "checkpoints": a list of {id, assert}' }];
  }
  const problems = checkpoints.flatMap((checkpoint: unknown, index) =>
    within(`checkpoints[${String(index)}]`, checkCheckpoint(checkpoint, deps)),
  );
  const all = checkpoints.filter(isObject);
  const ids = all.map((checkpoint) => checkpoint['id']);
  for (const [index, id] of ids.entries()) {
    if (ids.indexOf(id) !== index)
      problems.push({ message: `checkpoints: duplicate id ${quoted(String(id))}` });
  }
  if (all.every((checkpoint) => checkpoint['required'] === false)) {
    problems.push({ message: 'at least one checkpoint must be required' });
  }
  return problems.length > 0 ? problems : checkOrder(all);
}

function checkCheckpoint(checkpoint: unknown, deps: CheckDeps): CaseProblem[] {
  if (!isObject(checkpoint)) return [{ message: 'must be an object with "id" and "assert"' }];
  const { id, description, assert, after, required } = checkpoint;
  const problems = unknownFields(checkpoint, CHECKPOINT_FIELDS);
  if (typeof id !== 'string' || id.trim() === '') problems.push({ message: '"id" must be text' });
  if (description !== undefined && typeof description !== 'string') {
    problems.push({ message: '"description" must be text' });
  }
  if (required !== undefined && typeof required !== 'boolean') {
    problems.push({ message: '"required" must be true or false' });
  }
  const isNames = Array.isArray(after) && after.every((name) => typeof name === 'string');
  if (after !== undefined && !isNames)
    problems.push({ message: '"after" must be a list of ids of checkpoints' });
  if (assert === undefined)
    problems.push({ message: '"assert" is missing: it says when the checkpoint is reached' });
  return [...problems, ...checkAssertions(assert, deps)];
}

/** `after` names checkpoints that exist, and never, by whatever detour, the checkpoint itself. */
function checkOrder(checkpoints: Record<string, unknown>[]): CaseProblem[] {
  // Checked above: ids are texts, `after` is a list of texts.
  const after = new Map(checkpoints.map(({ id, after: before }) => [String(id), (before ?? []) as string[]]));
  const problems: CaseProblem[] = [];
  for (const [id, names] of after) {
    for (const name of names.filter((other) => !after.has(other))) {
      const hint = didYouMean(
        name,
        [...after.keys()].filter((other) => other !== id),
      );
      const message = `checkpoint ${quoted(id)}: "after" names ${quoted(name)}, which does not exist`;
      problems.push({ message, ...(hint !== undefined && { hint }) });
    }
    const seen = new Set<string>();
    const open = [...names];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (seen.has(name)) continue;
      seen.add(name);
      open.push(...(after.get(name) ?? []));
    }
    if (seen.has(id)) problems.push({ message: `checkpoint ${quoted(id)} comes after itself` });
  }
  return problems;
}

function unknownFields(value: Record<string, unknown>, known: string[]): CaseProblem[] {
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      message: `unknown field ${quoted(name)}`,
      hint: didYouMean(name, known) ?? `it may have ${known.join(', ')}`,
    }));
}

function within(at: string, problems: readonly CaseProblem[]): CaseProblem[] {
  return problems.map((problem) => ({ ...problem, message: `${at}: ${problem.message}` }));
}
