// Single keys of a terminal. While it is open, the terminal does not echo, and Ctrl-C arrives as a key.

/** A key that was pressed: a letter, `?`, or `enter`. */
type Receive = (key: string) => void;

export type Keyboard = {
  /** All keys go to this function, until another one is set. */
  receive(take: Receive): void;
  /** Gives the terminal back as it was. */
  close(): void;
};

const [CTRL_C, CTRL_D, CTRL_Z, ESCAPE] = ['\u0003', '\u0004', '\u001A', '\u001B'];

/** Opens the keys of a terminal; the terminal is restored however the process ends. */
export function openKeyboard(stdin: NodeJS.ReadStream): Keyboard {
  let take: Receive = () => undefined;
  const restore = (): void => void (stdin.isTTY && stdin.setRawMode(false));
  const onData = (chunk: string): void => {
    // Arrows and function keys are sequences.
    if (chunk.startsWith(ESCAPE ?? '')) return;
    for (const key of chunk) {
      if (key === CTRL_C) process.kill(process.pid, 'SIGINT');
      else if (key === CTRL_Z) suspend();
      else take(key === '\r' || key === '\n' ? 'enter' : key === CTRL_D ? 'q' : key.toLowerCase());
    }
  };
  const suspend = (): void => {
    restore();
    process.once('SIGCONT', () => stdin.setRawMode(true));
    // The whole group stops, as it does when the terminal reads the key.
    process.kill(0, 'SIGTSTP');
  };
  // A terminal that is gone sends no more keys.
  const onEnd = (): void => take('q');

  stdin.setEncoding('utf8');
  stdin.setRawMode(true);
  process.once('exit', restore);
  stdin.on('data', onData).on('error', onEnd).on('end', onEnd).resume();
  return {
    receive(next) {
      take = next;
    },
    close() {
      take = () => undefined;
      stdin.off('data', onData).off('end', onEnd).pause();
      process.off('exit', restore);
      restore();
    },
  };
}
