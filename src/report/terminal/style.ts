// Colours and symbols of the terminal, or plain text without them.

import { Ansis } from 'ansis';
import type { Status } from '../../model/outcome.ts';

type Paint = (text: string) => string;

export type Style = {
  red: Paint;
  green: Paint;
  dim: Paint;
  bold: Paint;
  /** A case that passed although a run did not. */
  shaky: Paint;
  status: Record<Status, Paint>;
  symbols: Record<Status, string>;
  doubleLine: string;
  line: string;
  branch: string;
  /** Before a test of a script. */
  pointer: string;
  /** Between an input and the case in it. */
  within: string;
  /** Before a number of combinations. */
  times: string;
  bar: { full: string; empty: string };
};

const SYMBOLS = { error: '!', failed: '✗', passed: '✓', skipped: '○', timeout: '⏱' };
const ASCII_SYMBOLS = { error: '!', failed: 'x', passed: '+', skipped: 'o', timeout: 't' };

/** Creates the style for a terminal with or without colours and Unicode. */
export function createStyle({ color, unicode }: { color: boolean; unicode: boolean }): Style {
  const paint = new Ansis(color ? 1 : 0);
  return {
    red: paint.red,
    green: paint.green,
    dim: paint.dim,
    bold: paint.bold,
    shaky: paint.yellow,
    status: {
      error: paint.red,
      failed: paint.red,
      passed: paint.green,
      skipped: paint.dim,
      timeout: paint.yellow,
    },
    symbols: unicode ? SYMBOLS : ASCII_SYMBOLS,
    doubleLine: unicode ? '═' : '=',
    line: unicode ? '─' : '-',
    branch: unicode ? '└─' : '`-',
    pointer: unicode ? '►' : '>',
    within: unicode ? '›' : '>',
    times: unicode ? '×' : 'x',
    bar: unicode ? { full: '█', empty: '░' } : { full: '#', empty: '.' },
  };
}
