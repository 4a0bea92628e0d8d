// Reads the packets of a run from the page itself or from the server.

import type { Packet } from '../../src/report/fold/light-event.ts';

/** The packets in the body of a report. */
export function* packetsInPage(): Generator<Packet> {
  const rows = document.querySelectorAll('script[type="application/x-assay-rows"]');
  const events = document.querySelectorAll('script[type="application/x-assay-events"]');
  for (const [at, element] of rows.entries()) {
    yield { rows: element.textContent ?? '', events: events[at]?.textContent ?? '' };
  }
}

/** The packets of a response, one per line, as they arrive. */
export async function* packetsInAnswer(body: ReadableStream<Uint8Array>): AsyncGenerator<Packet> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let parts: string[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = decoder.decode(value, { stream: true }).split('\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      parts.push(line);
      yield JSON.parse(parts.join('')) as Packet;
      parts = [];
    }
    if (rest !== '') parts.push(rest);
  }
  if (parts.length > 0) yield JSON.parse(parts.join('')) as Packet;
}
