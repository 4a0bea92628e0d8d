// The fields of a case that make it a conversation: turns that are written down, or a simulator with checkpoints.

import { assertionsShape, checkpointAssertionsShape } from '../../../judge/check.ts';
import { isObject } from '../../../json/is-object.ts';
import { list, object, optional, record, required } from '../../../schema/object.ts';
import type { Findings, Shape } from '../../../schema/shape.ts';
import { anything, boolean, name, string } from '../../../schema/values.ts';
import { didYouMean } from '../../../text/nearest.ts';
import { inputShape } from './case-input.ts';
import { quoted } from './quoted.ts';

/** The id of a case or checkpoint: a text that is not blank. */
export const id: Shape<string> = {
  check(value, findings) {
    if (typeof value === 'number') findings.rule(`must be a string: write "${value}"`);
    else if (typeof value !== 'string') findings.wrong('a string', value);
    else if (value.trim() === '') findings.rule('must not be empty');
  },
  schema: () => ({ type: 'string', pattern: '\\S' }),
};

export const turnsShape = list(
  object(
    { input: required(inputShape), assert: optional(assertionsShape) },
    { expected: 'an object with "input"' },
  ),
  { expected: 'a list of {input, assert}' },
);

export const simulatorShape = object(
  {
    use: required(
      name,
      'The agent that plays the user: agents:<id>',
      'name the agent that plays the user: "agents:<id>"',
    ),
    options: optional(
      object(
        {
          connector: optional(name),
          metadata: optional(
            record(anything, { expected: 'an object such as {"persona": …, "goal": …}' }),
            'persona, goal and whatever the simulator wants to know',
          ),
        },
        { others: 'free' },
      ),
    ),
  },
  { expected: 'an object such as {"use": "agents:<id>"}' },
);

export const checkpointsShape = list(
  object(
    {
      id: required(id),
      description: optional(string),
      assert: required(
        checkpointAssertionsShape,
        'Reached when all of them hold for the answer of a turn',
        'it says when the checkpoint is reached',
      ),
      after: optional(
        list(string, { isEmptyFine: true, expected: 'a list of ids of checkpoints' }),
        'Checkpoints that must be reached before',
      ),
      required: optional(boolean, 'True unless said otherwise'),
    },
    { expected: 'an object with "id" and "assert"' },
  ),
  { expected: 'a list of {id, assert}' },
);

/** Adds what is wrong with the fields of a conversation together; their shapes are checked one by one. */
export function checkConversation(fields: Record<string, unknown>, findings: Findings): void {
  const { simulator, checkpoints, turns } = fields;
  if (turns !== undefined) {
    for (const other of ['simulator', 'checkpoints', 'max_turns']) {
      if (fields[other] === undefined) continue;
      const hint = 'turns are written down, a simulator makes them up';
      findings.note(`"turns" and "${other}" exclude each other`, hint);
    }
    return;
  }
  if (simulator === undefined) {
    const alone = checkpoints === undefined ? 'max_turns' : 'checkpoints';
    findings.note(`"${alone}" needs a "simulator"`, 'add "simulator": {"use": "agents:<id>"}');
  } else if (checkpoints === undefined) {
    findings.note('a "simulator" needs "checkpoints": a list of {id, assert}');
  } else if (Array.isArray(checkpoints)) checkTogether(checkpoints.filter(isObject), findings);
}

function checkTogether(checkpoints: Record<string, unknown>[], findings: Findings): void {
  const before = findings.count;
  const ids = checkpoints.map((checkpoint) => checkpoint['id']);
  for (const [index, own] of ids.entries()) {
    if (ids.indexOf(own) !== index) findings.note(`checkpoints: duplicate id ${quoted(String(own))}`);
  }
  if (checkpoints.length > 0 && checkpoints.every((checkpoint) => checkpoint['required'] === false))
    findings.note('at least one checkpoint must be required');
  // Other problems may be the cause of a wrong order.
  if (findings.count === before && hasOrder(checkpoints)) checkOrder(checkpoints, findings);
}

function hasOrder(checkpoints: Record<string, unknown>[]): boolean {
  return checkpoints.every(({ after }) => after === undefined || Array.isArray(after));
}

/** `after` names existing checkpoints, and no checkpoint comes after itself, directly or through others. */
function checkOrder(checkpoints: Record<string, unknown>[], findings: Findings): void {
  const after = new Map(checkpoints.map((one) => [String(one['id']), (one['after'] ?? []) as unknown[]]));
  for (const [own, names] of after) {
    for (const other of names) {
      if (after.has(String(other))) continue;
      const hint = didYouMean(
        String(other),
        [...after.keys()].filter((known) => known !== own),
      );
      findings.note(
        `checkpoint ${quoted(own)}: "after" names ${quoted(String(other))}, which does not exist`,
        hint,
      );
    }
    const seen = new Set<string>();
    const open = names.map(String);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(after.get(next) ?? []).map(String));
    }
    if (seen.has(own)) findings.note(`checkpoint ${quoted(own)} comes after itself`);
  }
}
