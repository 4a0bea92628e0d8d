// A run log in, packets out: its events compressed, and beside each packet the little that a list needs to know of them.

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { SummaryEvent } from '../../model/event.ts';
import { runsRange } from '../../model/runs-of.ts';
import type { EventSource, LoggedEvent } from '../../model/sink.ts';
import type { LightEvent, Packet } from '../fold/light-event.ts';
import { lightEvent } from '../fold/light-event.ts';

/** Large enough to be compressed well, small enough to be opened at once. */
const PACKET_LENGTH = 384 * 1024;
/** Compressing goes on in other threads meanwhile, of which Node has four. */
const AHEAD = 4;
const LEVEL = 4;

const compress = promisify(gzip);

/** Reads the log once, in flat memory; its summary is told on the way. */
export async function* packRun(
  source: EventSource,
  onSummary: (summary: SummaryEvent) => void = () => undefined,
): AsyncGenerator<Packet> {
  const ahead: Promise<Packet>[] = [];
  for await (const portion of portions(source)) {
    for (const event of portion.rows) if (event.type === 'summary') onSummary(event);
    ahead.push(packed(portion));
    const first = ahead.length >= AHEAD ? ahead.shift() : undefined;
    if (first !== undefined) yield await first;
  }
  for (const packet of ahead) yield await packet;
}

type Portion = { rows: LightEvent[]; lines: string[] };

async function* portions(source: EventSource): AsyncGenerator<Portion> {
  let portion: Portion = { rows: [], lines: [] };
  let length = 0;
  let hasRuns = false;
  for await (const batch of batchesOf(source)) {
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

function batchesOf(source: EventSource): AsyncIterable<LoggedEvent[]> {
  return source.batches?.() ?? writtenAgain(source);
}

async function* writtenAgain(source: EventSource): AsyncGenerator<LoggedEvent[]> {
  for await (const event of source.events()) yield [{ event, line: JSON.stringify(event) }];
}

async function packed({ rows, lines }: Portion): Promise<Packet> {
  const [light, full] = await Promise.all([
    compress(JSON.stringify(rows), { level: LEVEL }),
    compress(lines.join('\n'), { level: LEVEL }),
  ]);
  return { rows: light.toString('base64'), events: full.toString('base64') };
}
