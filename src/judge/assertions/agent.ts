// agent: another agent judges the answer by criteria.

import { raceSignal } from '../../platform/race.ts';
import type { Problem } from '../../errors.ts';
import { AttemptError, messageOf } from '../../errors.ts';
import type { Transcript } from '../../model/agent.ts';
import type { Assertion } from '../../model/case.ts';
import { isObject } from '../../json/is-object.ts';
import type { AssertionType, JudgeDeps, Subject } from '../assertion.ts';
import { JudgeError, missingValue, NO_PROBLEMS } from '../assertion.ts';
import { limitValue } from '../diff.ts';
import type { JudgeReply } from '../judge-reply.ts';
import { readJudgeReply, unclear } from '../judge-reply.ts';
import { quote } from '../../text/quote.ts';
import { connectorName } from '../connector-name.ts';
import { ellipsize } from '../../text/cut-text.ts';
import { CONNECTOR, THRESHOLD, USE, VALUE, isName, readThreshold } from '../fields.ts';
import { checkPreset, PRESET_FIELDS } from '../presets/check-preset.ts';
import { object, optional, record } from '../../schema/object.ts';
import { anything } from '../../schema/values.ts';

const OPTIONS = optional(
  object({ connector: CONNECTOR, metadata: optional(record(anything)) }, { others: 'free' }),
  'For the agent that judges',
);

const MAX_REASON = 300;

/**
 * The value is the criteria, or a preset has them. `use` names the judging agent; with only a connector, the built-in judge is used. The judge
 * answers `{passed, score, reason}`. With a `threshold`, the score decides, but `passed: false` always fails.
 */
export const agent: AssertionType = {
  fields: {
    connector: CONNECTOR,
    options: OPTIONS,
    threshold: THRESHOLD,
    use: USE,
    value: VALUE,
    ...PRESET_FIELDS,
  },
  check(assertion) {
    return [...checkCriteria(assertion), ...checkPreset(assertion), ...checkJudge(assertion)];
  },
  place: () => 'here',
  async judge(assertion, subject, deps) {
    const criteria = await readCriteria(assertion, subject);
    const answer = await ask(assertion, subject, criteria, deps);
    const { usage, cost_usd: cost } = answer;
    const threshold = readThreshold(assertion);
    const reply = judgeReply(answer, threshold);

    const pass = reply.passed !== false && (reply.score ?? 1) >= (threshold ?? 0);
    const { score, reason } = reply;
    return {
      pass,
      ...(!pass && {
        message: describe(reply, threshold, assertion['preset']),
        expected: criteria['reference'] ?? assertion.value,
        actual: subject.output,
      }),
      score,
      // limitValue turns a string into a string.
      reason: reason === undefined ? undefined : String(limitValue(reason)),
      usage,
      cost_usd: cost,
    };
  },
};

function judgeReply(answer: Transcript, threshold: number | undefined): JudgeReply {
  try {
    const reply = readJudgeReply(answer.output);
    if (threshold !== undefined && reply.score === undefined)
      throw unclear('"threshold" needs a "score"', answer.output);
    if (threshold === undefined && reply.passed === undefined)
      throw unclear('"passed" must be true or false', answer.output);
    return reply;
  } catch (cause) {
    throw new JudgeError(messageOf(cause), answer, { cause });
  }
}

/** The criteria, and with a preset the fields that they talk about. */
async function readCriteria(assertion: Assertion, subject: Subject): Promise<Record<string, unknown>> {
  if (assertion['preset'] === undefined) return { criteria: assertion.value };
  const { presetQuestion } = await import('../presets/preset-question.ts');
  return presetQuestion(assertion, subject);
}

async function ask(
  assertion: Assertion,
  { output, input, expected, transcript }: Subject,
  criteria: Record<string, unknown>,
  deps: JudgeDeps,
): Promise<Transcript> {
  const use = isName(assertion['use']) ? assertion['use'] : undefined;
  const options = isObject(assertion['options']) ? assertion['options'] : undefined;
  const metadata = isObject(options?.['metadata']) ? options['metadata'] : undefined;
  const { tool_calls: calls, messages } = transcript;
  const question = {
    output,
    input,
    ...criteria,
    ...(expected !== undefined && { expected }),
    ...(calls !== undefined && { tool_calls: calls }),
    ...(messages !== undefined && { messages }),
    ...(metadata !== undefined && { metadata }),
  };
  // Copied so that a judge that changes its input does not affect the other assertions.
  const request = structuredClone({
    input: question,
    ...(metadata !== undefined && { metadata }),
    ...(options !== undefined && { options }),
  });
  try {
    return await raceSignal(deps.ask({ use, connector: connectorName(assertion) }, request), deps.signal);
  } catch (cause) {
    const isNamed = cause instanceof AttemptError && cause.code === 'judge';
    if (deps.signal.aborted || isNamed) throw cause;
    throw new Error(`the judge failed: ${messageOf(cause)}`, { cause });
  }
}

/** `the judge says no (score 0.4, wanted 0.7): it is rude` */
function describe({ score, reason }: JudgeReply, threshold: number | undefined, preset: unknown): string {
  const wanted = threshold === undefined ? '' : `, wanted ${threshold}`;
  const measured = score === undefined ? '' : ` (score ${rounded(score)}${wanted})`;
  const about = typeof preset === 'string' ? ` to "${preset}"` : '';
  return `the judge says no${about}${measured}${reason === undefined ? '' : `: ${onOneLine(reason)}`}`;
}

function onOneLine(reason: string): string {
  return ellipsize(reason.trim().replaceAll(/\s+/g, ' '), MAX_REASON);
}

function checkCriteria(assertion: Assertion): readonly Problem[] {
  const { value, preset } = assertion;
  if (preset !== undefined) return NO_PROBLEMS;
  if (value === undefined) return missingValue(assertion);
  if (typeof value === 'string' && value.trim() !== '') return NO_PROBLEMS;
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) return NO_PROBLEMS;
  return [{ message: `"agent" needs criteria as "value", such as a sentence, not ${quote(value)}` }];
}

function checkJudge(assertion: Assertion): readonly Problem[] {
  const { use, connector } = assertion;
  if ((use ?? connector ?? connectorName(assertion)) !== undefined) return NO_PROBLEMS;
  return [
    {
      message: '"agent" needs a judge',
      hint: 'name an agent as "use", or a "connector" for the built-in judge',
    },
  ];
}

function rounded(score: number): number {
  return Math.round(score * 1000) / 1000;
}
