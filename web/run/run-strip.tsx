// All runs of a case side by side: how each ended, how long it took.

import type { VNode } from 'preact';
import type { Case } from '../data/run-data.ts';
import { statusWord } from '../ui/status.tsx';
import { duration } from '../ui/words.ts';
import { caseLink, useRun } from './run-context.ts';

/** As links to step through, or, inside a link, only to look at. */
export function RunStrip({ one, chosen }: { one: Case; chosen?: number }): VNode {
  const run = useRun();
  const longest = Math.max(1, ...one.attempts.map(({ light }) => light.duration_ms));
  return (
    <ol class="strip" aria-label="Runs">
      {one.attempts.map(({ light }) => {
        const text = `Run ${String(light.run)}: ${statusWord(light.status)}, ${duration(light.duration_ms)}`;
        const height = 6 + Math.round((22 * light.duration_ms) / longest);
        return (
          <li key={light.run}>
            <a
              href={caseLink(run, one, { run: String(light.run) })}
              title={text}
              aria-label={text}
              aria-current={light.run === chosen ? 'true' : undefined}
            >
              <span class={light.status} style={{ height: `${String(height)}px` }} />
            </a>
          </li>
        );
      })}
    </ol>
  );
}
