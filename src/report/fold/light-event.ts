// Small versions of result events for lists: without long texts.

import type { ResultEvent, RunEvent } from '../../model/event.ts';
import type { Verdict } from '../../model/outcome.ts';
import { hash96 } from '../../platform/hash.ts';
import { canonicalJson } from '../../stats/canonical.ts';
import { oneLine, readableText } from '../../text/untrusted.ts';

const ERROR_LENGTH = 300;
const INPUT_LENGTH = 120;
/** Long enough to distinguish the answers of one case. */
const FINGERPRINT_LENGTH = 12;

/** A result for lists, counts and searches: `input` is cut, and `output` is a fingerprint to find equal answers. */
export type LightResult = Omit<ResultEvent, 'key' | 'verdicts'> & {
  verdicts?: Pick<Verdict, 'cost_usd' | 'metric' | 'negate' | 'score' | 'status' | 'type' | 'usage'>[];
};

/** Events other than results are short already. */
export type LightEvent = Exclude<RunEvent, ResultEvent> | LightResult;

/** Some events of a run for a page. Both parts are gzip in base64; row n belongs to line n. */
export type Packet = {
  /** A JSON array of light events. */
  rows: string;
  /** The events as in the log, one per line. */
  events: string;
};

/** Fields that are kept as they are. */
const KEPT = [
  'type',
  'kind',
  'test_id',
  'id',
  'run',
  'agent_id',
  'description',
  'tags',
  'line',
  'position',
  'variables',
  'quarantined',
  'status',
  'duration_ms',
  'code',
  'reason',
  'skip_message',
  'usage',
  'cost_usd',
  'first_token_ms',
  'turns',
  'simulation',
  'assertions',
  'checks',
  'retries',
  'restarted',
  'uncounted',
] as const satisfies (keyof ResultEvent)[];

/** Drops the fields that only a view of the single result needs. Outputs have a fingerprint only if cases have several runs. */
export function lightEvent(event: RunEvent, { hasRuns }: { hasRuns: boolean }): LightEvent {
  if (event.type !== 'result') return event;
  const { input, output, error, verdicts } = event;
  const light: Record<string, unknown> = {};
  for (const name of KEPT) if (event[name] !== undefined && event[name] !== null) light[name] = event[name];
  // Null is an unknown cost, which is different from no cost.
  if (event.cost_usd === null) light['cost_usd'] = null;
  if (input !== undefined) light['input'] = oneLine(inputText(input), INPUT_LENGTH);
  if (output !== undefined && hasRuns)
    light['output'] = hash96(canonicalJson(output)).slice(0, FINGERPRINT_LENGTH);
  // Logs written by other programs may have other types here.
  if (typeof (error ?? undefined) === 'string') light['error'] = oneLine(readableText(error), ERROR_LENGTH);
  if (Array.isArray(verdicts)) light['verdicts'] = verdicts.map(lightVerdict);
  // The cast is safe because all required fields are kept.
  return light as LightResult;
}

function lightVerdict({ type, metric, negate, status, score, usage, cost_usd }: Verdict): Verdict {
  return { type, metric, negate, status, score, usage, cost_usd };
}

/** The text of an input; of a conversation, its last message. */
function inputText(input: unknown): string {
  if (Array.isArray(input)) return input.length === 0 ? '' : inputText(input.at(-1));
  if (typeof input !== 'object' || input === null) return readableText(input);
  if ('content' in input && input.content !== null) return inputText(input.content);
  return 'text' in input && typeof input.text === 'string' ? input.text : readableText(input);
}
