// All runs of a case side by side, with status and duration.

import type { VNode } from 'preact';
import type { Attempt, Case } from '../data/run-data.ts';
import { statusWord } from '../ui/status.tsx';
import { count, duration } from '../ui/words.ts';
import { caseLink, useRun } from './run-context.ts';

/** With very many runs, shows only those around the selected one. */
export function RunStrip({ one, chosen, most = 200 }: { one: Case; chosen?: number; most?: number }): VNode {
  const run = useRun();
  const shown = around(one.attempts, chosen, most);
  const longest = longestDuration(shown);
  const left = one.attempts.length - shown.length;
  return (
    <>
      <ol class="strip" aria-label="Runs">
        {shown.map(({ light }) => {
          const text = `Run ${String(light.run)}: ${statusWord(light.status)}, ${duration(light.duration_ms)}`;
          const height = 6 + Math.round((22 * Math.max(0, light.duration_ms)) / longest);
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
      {left > 0 && <span class="note">{count(left)} more</span>}
    </>
  );
}

function around(attempts: readonly Attempt[], chosen: number | undefined, most: number): readonly Attempt[] {
  if (attempts.length <= most) return attempts;
  const at = chosen === undefined ? 0 : attempts.findIndex(({ light }) => light.run === chosen);
  const from = Math.max(0, Math.min(at - Math.floor(most / 2), attempts.length - most));
  return attempts.slice(from, from + most);
}

/** At least 1, because it is used as a divisor. */
export function longestDuration(attempts: readonly Attempt[]): number {
  return attempts.reduce((longest, { light }) => Math.max(longest, light.duration_ms), 1);
}
