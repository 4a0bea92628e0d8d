// The last line of an interactive terminal: how far the run is.

import { formatDuration } from '../../text/duration.ts';
import type { Style } from './style.ts';

export type Progress = {
  /** Attempts or cases, and parts of those. */
  done: number;
  /** Of those done, the ones an earlier part of the run did. */
  kept: number;
  total: number;
  /** Cases. */
  passed: number;
  failed: number;
  running: number;
  elapsedMs: number;
  /** What is not yet running will not run, so what was done says nothing about the rest. */
  isStopping: boolean;
};

const BAR_WIDTH = 30;
const SMALLEST_BAR = 8;

/** Draws the progress in one line of less than `columns` characters. */
export function progressLine(progress: Progress, columns: number, style: Style): string {
  const { done, total, running, elapsedMs } = progress;
  const room = Math.max(0, columns - 1);
  // Thirds of a case do not add up to quite a whole one.
  const parts = [`${Math.floor(done + 1e-6)}/${total}`, `${progress.passed} passed`];
  if (progress.failed > 0) parts.push(`${progress.failed} failed`);
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

/** Known only after a while: the first attempts say little about the rest. */
function remainingMs({ done, kept, total, elapsedMs, isStopping }: Progress): number | undefined {
  if (isStopping || done <= kept || done >= total || elapsedMs < 1000) return undefined;
  return (elapsedMs / (done - kept)) * (total - done);
}
