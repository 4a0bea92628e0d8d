// The run log inside of an HTML report.

import { gunzipSync } from 'node:zlib';
import type { RunEvent } from '../../../src/model/event.ts';

/** The events that a report has in its body, in their order. */
export function eventsInHtml(html: string): RunEvent[] {
  const packets = html.matchAll(/<script type="application\/x-assay-events">([A-Za-z0-9+/=]*)<\/script>/g);
  return [...packets].flatMap(([, base64 = '']) =>
    gunzipSync(Buffer.from(base64, 'base64'))
      .toString()
      .split('\n')
      .map((line) => JSON.parse(line) as RunEvent),
  );
}
