// A run log in, packets out: compressed events, each packet with small versions of its events for lists.

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { SummaryEvent } from '../../model/event.ts';
import { runsRange } from '../../model/runs-per-case.ts';
import type { EventSource, LoggedEvent } from '../../model/sink.ts';
import type { LightEvent, Packet } from '../fold/light-event.ts';
import { lightEvent } from '../fold/light-event.ts';

/** Large enough to compress well, small enough to open at once. */
const PACKET_LENGTH = 384 * 1024;
/** Number of packets compressed at the same time; Node has four threads for it. */
const AHEAD = 4;
const LEVEL = 4;

const compress = promisify(gzip);

/** Reads the log once, in constant memory; calls `onSummary` when it reaches the summary. */
export async function* packRun(
  source: EventSource,
  onSummary: (summary: SummaryEvent) => void = () => undefined,
): AsyncGenerator<Packet> {
  const ahead: Promise<Packet>[] = [];
  for await (const portion of splitIntoPortions(source)) {
    for (const event of portion.rows) if (event.type === 'summary') onSummary(event);
    ahead.push(packPortion(portion));
    const first = ahead.length >= AHEAD ? ahead.shift() : undefined;
    if (first !== undefined) yield await first;
  }
  for (const packet of ahead) yield await packet;
}

type Portion = { rows: LightEvent[]; lines: string[] };

async function* splitIntoPortions(source: EventSource): AsyncGenerator<Portion> {
  let portion: Portion = { rows: [], lines: [] };
  let length = 0;
  let hasRuns = false;
  for await (const batch of readBatches(source)) {
    for (const { event, line } of batch) {
      if (event.type === 'start') hasRuns = runsRange(event).most > 1;
      portion.rows.push(lightEvent(event, { hasRuns }));
      portion.lines.push(line);
      length += line.length;
      if (length < PACKET_LENGTH) continue;
      yield portion;
      portion = { rows: [], lines: [] };
      length = 0;
    }
  }
  if (portion.rows.length > 0) yield portion;
}

function readBatches(source: EventSource): AsyncIterable<LoggedEvent[]> {
  return source.batches?.() ?? serializeEvents(source);
}

async function* serializeEvents(source: EventSource): AsyncGenerator<LoggedEvent[]> {
  for await (const event of source.events()) yield [{ event, line: JSON.stringify(event) }];
}

async function packPortion({ rows, lines }: Portion): Promise<Packet> {
  const [light, full] = await Promise.all([
    compress(JSON.stringify(rows), { level: LEVEL }),
    compress(lines.join('\n'), { level: LEVEL }),
  ]);
  return { rows: light.toString('base64'), events: full.toString('base64') };
}
