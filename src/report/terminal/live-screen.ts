// Scrolling text above a last line that is redrawn in place.

const REDRAW_MS = 100;
const PENDING_LENGTH = 64 * 1024;
const CLEAR_LINE = '\r\x1b[2K';

export type Screen = {
  print(text: string): void;
  /** Prints the pending text and removes the last line. */
  close(): void;
};

type ScreenStream = { write(text: string): unknown };

/** Redraws the line from `lastLine` at most ten times per second, together with the pending text. */
export function createScreen(
  stream: ScreenStream,
  { lastLine, now }: { lastLine: () => string; now: () => number },
): Screen {
  let pending = '';
  let drawn = '';
  let drawnAt = -Infinity;
  let isOpen = true;

  function draw(): void {
    const line = lastLine();
    drawnAt = now();
    if (pending === '' && line === drawn) return;
    stream.write((drawn === '' ? '' : CLEAR_LINE) + pending + line);
    pending = '';
    drawn = line;
  }

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(timer);
    process.off('exit', close);
    const text = (drawn === '' ? '' : CLEAR_LINE) + pending;
    if (text !== '') stream.write(text);
    pending = '';
  }

  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  // Leaves a clean prompt when the process exits early.
  process.on('exit', close);

  return {
    print(text) {
      if (!isOpen) {
        stream.write(text);
        return;
      }
      pending += text;
      if (now() - drawnAt >= REDRAW_MS || pending.length >= PENDING_LENGTH) draw();
    },
    close,
  };
}
