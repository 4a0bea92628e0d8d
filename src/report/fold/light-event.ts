// What a list of results needs to know of each: the event without its bulk.

import type { ResultEvent, RunEvent } from '../../model/event.ts';
import type { Verdict } from '../../model/outcome.ts';
import { hash96 } from '../../platform/hash.ts';
import { canonicalJson } from '../../stats/canonical.ts';
import { oneLine, readableText } from '../../text/untrusted.ts';

/** A line about an error, and a line about an input. */
const ERROR_LENGTH = 300;
const INPUT_LENGTH = 120;
/** Enough to tell the answers of one case apart. */
const FINGERPRINT_LENGTH = 12;

/** A result to be listed, counted and found: `input` is its beginning, `output` only tells equal answers from others. */
export type LightResult = Omit<ResultEvent, 'key' | 'verdicts'> & {
  verdicts?: Pick<Verdict, 'cost_usd' | 'score' | 'status' | 'type' | 'usage'>[];
};

/** All other events are short. */
export type LightEvent = Exclude<RunEvent, ResultEvent> | LightResult;

/** Some events of a run on their way to a page. Both parts are gzip in base64; row number n is about line number n. */
export type Packet = {
  /** A JSON array of light events. */
  rows: string;
  /** The events as the log has them, one a line. */
  events: string;
};

/** What is taken over as it is. */
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
  'variables',
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
] as const satisfies (keyof ResultEvent)[];

/**
 * Leaves out what only somebody who looks at the result wants to see. Answers have to be told apart only where a case has
 * several.
 */
export function lightEvent(event: RunEvent, { hasRuns }: { hasRuns: boolean }): LightEvent {
  if (event.type !== 'result') return event;
  const { input, output, error, verdicts } = event;
  const light: Record<string, unknown> = {};
  for (const name of KEPT) if (event[name] !== undefined && event[name] !== null) light[name] = event[name];
  // Nobody knows what it cost, which is something else than nothing.
  if (event.cost_usd === null) light['cost_usd'] = null;
  if (input !== undefined) light['input'] = oneLine(saidIn(input), INPUT_LENGTH);
  if (output !== undefined && hasRuns)
    light['output'] = hash96(canonicalJson(output)).slice(0, FINGERPRINT_LENGTH);
  // Whoever writes logs by other means may write anything.
  if (typeof (error ?? undefined) === 'string') light['error'] = oneLine(readableText(error), ERROR_LENGTH);
  if (Array.isArray(verdicts)) light['verdicts'] = verdicts.map(lightVerdict);
  // A cast, because the names that must be there are among those that are kept.
  return light as LightResult;
}

function lightVerdict({ type, status, score, usage, cost_usd }: Verdict): Verdict {
  return {
    type,
    status,
    ...(score !== undefined && { score }),
    ...(usage !== undefined && { usage }),
    ...(cost_usd !== undefined && { cost_usd }),
  };
}

/** The text of an input: of a conversation, the last thing that was said. */
function saidIn(input: unknown): string {
  if (Array.isArray(input)) return input.length === 0 ? '' : saidIn(input.at(-1));
  if (typeof input !== 'object' || input === null) return readableText(input);
  if ('content' in input && input.content !== null) return saidIn(input.content);
  return 'text' in input && typeof input.text === 'string' ? input.text : readableText(input);
}
