// Traces of OpenTelemetry: the spans of one trace are one session, wherever they are in the file.

import type { Session } from '../session.ts';
import type { SessionFile, ValuePlace } from '../session-file.ts';
import type { SessionReader } from './format.ts';
import type { Span } from './otel-spans.ts';
import { hasSpans, spansIn } from './otel-spans.ts';
import { isAgentTrace, readTrace, traceFacts } from './otel-transcript.ts';

const MOST_LINES = 4;

/** The spans of a trace: those of a document, or where the lines with them are. */
type Trace = { spans: Span[]; places: ValuePlace[] };

export const otel: SessionReader = {
  title: 'OpenTelemetry traces',
  recognises: hasSpans,
  async open(file) {
    const traces = await readTraces(file);
    const lines = new SpanLines(file);
    const sessions: Session[] = [];
    let others = 0;
    for (const [traceId, trace] of traces) {
      const spans = await lines.spans(traceId, trace);
      if (!isAgentTrace(spans)) {
        others += 1;
        continue;
      }
      const { names, agent, input } = traceFacts(spans);
      const own = traces.size === 1 ? [file.title] : [];
      sessions.push({
        id: traceId,
        names: [...names, ...own],
        format: 'otel',
        agent: agent ?? 'agent',
        input,
        file: file.name,
        read: async () => readTrace(await lines.spans(traceId, trace)).finish(),
      });
    }
    if (sessions.length === 0)
      throw file.problem(
        1,
        'no span has attributes of the GenAI conventions (gen_ai.…)',
        'expected spans of an agent or a model',
      );
    if (others > 0) file.note(`${others} traces without an agent or a model are left out`);
    return sessions;
  },
};

async function readTraces(file: SessionFile): Promise<Map<string, Trace>> {
  const traces = new Map<string, Trace>();
  for await (const { value, line, place } of file.values()) {
    const spans = spansIn(value);
    if (spans === undefined)
      throw file.problem(line, 'expected "resourceSpans", or a span with name and ids');
    for (const span of spans) {
      if (span.traceId === '' || span.id === '')
        throw file.problem(line, `the span ${JSON.stringify(span.name)} has no trace id or span id`);
      const trace = traces.get(span.traceId) ?? { spans: [], places: [] };
      traces.set(span.traceId, trace);
      if (place === undefined) trace.spans.push(span);
      else if (trace.places.at(-1)?.offset !== place.offset) trace.places.push(place);
    }
  }
  return traces;
}

/** The spans of the lines that were read last, by trace: neighbours in a file are often in one line. */
class SpanLines {
  readonly #file: SessionFile;
  readonly #known = new Map<number, Map<string, Span[]>>();

  constructor(file: SessionFile) {
    this.#file = file;
  }

  async spans(traceId: string, { spans, places }: Trace): Promise<Span[]> {
    if (places.length === 0) return spans;
    const found: Span[] = [];
    for (const place of places) found.push(...((await this.#read(place)).get(traceId) ?? []));
    return found;
  }

  async #read(place: ValuePlace): Promise<Map<string, Span[]>> {
    const known = this.#known.get(place.offset);
    if (known !== undefined) return known;
    const value = await this.#file.valueAt(place);
    const traces = new Map<string, Span[]>();
    for (const span of spansIn(value) ?? []) {
      const own = traces.get(span.traceId) ?? [];
      own.push(span);
      traces.set(span.traceId, own);
    }
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= MOST_LINES) this.#known.delete(oldest);
    this.#known.set(place.offset, traces);
    return traces;
  }
}
