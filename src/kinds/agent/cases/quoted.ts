// Names in problems: whatever a file holds, one short piece of text comes out.

import { ellipsize } from '../../../text/cut-text.ts';

const SHOWN = 60;

/** A name in quotes, cut to a length that people still read. */
export function quoted(name: string): string {
  return JSON.stringify(ellipsize(name, SHOWN));
}
