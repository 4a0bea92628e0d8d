// The progress bar in the last line of an interactive terminal.

import { formatDuration } from '../../text/duration.ts';
import type { Style } from './style.ts';

export type Progress = {
  /** Attempts, or cases and fractions of cases. */
  done: number;
  /** The part of `done` that comes from the run before it was resumed. */
  kept: number;
  total: number;
  /** The repetition that was seen last, if cases have several. */
  round?: { of: number; run: number } | undefined;
  /** Cases. */
  passed: number;
  failed: number;
  unmeasured: number;
  running: number;
  elapsedMs: number;
  /** No further attempts will start, so an estimate of the remaining time makes no sense. */
  isStopping: boolean;
};

const BAR_WIDTH = 30;
const SMALLEST_BAR = 8;

/** Draws the progress in one line of less than `columns` characters. */
export function progressLine(progress: Progress, columns: number, style: Style): string {
  const { done, total, round, running, elapsedMs } = progress;
  const room = Math.max(0, columns - 1);
  // The epsilon corrects sums such as 1/3 + 1/3 + 1/3.
  const parts = [`${Math.floor(done + 1e-6)}/${total}`];
  if (round !== undefined) parts.push(`run ${round.run} of ${round.of}`);
  parts.push(`${progress.passed} passed`);
  if (progress.failed > 0) parts.push(`${progress.failed} failed`);
  if (progress.unmeasured > 0) parts.push(`${progress.unmeasured} not measured`);
  if (running > 0) parts.push(`${running} running`);
  const eta = remainingMs(progress);
  if (eta !== undefined) parts.push(`ETA ${formatDuration(Math.ceil(eta / 1000) * 1000)}`);
  else if (elapsedMs >= 1000) parts.push(`${formatDuration(Math.floor(elapsedMs / 1000) * 1000)} elapsed`);

  const text = parts.join('  ').slice(0, room);
  const width = Math.min(BAR_WIDTH, room - text.length - 1);
  if (width < SMALLEST_BAR) return text;
  const full = total === 0 ? 0 : Math.min(width, Math.floor((width * done) / total));
  const bar = style.green(style.bar.full.repeat(full)) + style.dim(style.bar.empty.repeat(width - full));
  return `${bar} ${text}`;
}

/** The estimated remaining time; undefined at the start, when the estimate would be too rough. */
function remainingMs({ done, kept, total, elapsedMs, isStopping }: Progress): number | undefined {
  if (isStopping || done <= kept || done >= total || elapsedMs < 1000) return undefined;
  return (elapsedMs / (done - kept)) * (total - done);
}
