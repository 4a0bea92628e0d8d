// The status of a case, never shown by colour alone.

import type { VNode } from 'preact';
import type { Status } from '../../src/model/outcome.ts';

const WORDS: Record<Status, { sign: string; word: string }> = {
  error: { sign: '!', word: 'Error' },
  failed: { sign: '✗', word: 'Failed' },
  passed: { sign: '✓', word: 'Passed' },
  skipped: { sign: '○', word: 'Skipped' },
  timeout: { sign: '◷', word: 'Timeout' },
};

export const STATUSES = ['failed', 'error', 'timeout', 'passed', 'skipped'] as const satisfies Status[];

export function statusWord(status: Status): string {
  return statusWords(status).word;
}

/** Logs of a later version may have other statuses. */
function statusWords(status: string): { sign: string; word: string } {
  const known = Object.entries(WORDS).find(([name]) => name === status);
  return known?.[1] ?? { sign: '?', word: 'Unknown' };
}

export function StatusMark({ status, isShaky = false }: { status: Status; isShaky?: boolean }): VNode {
  const { sign, word } = statusWords(status);
  return (
    <span class={`status ${status}${isShaky ? ' shaky' : ''}`}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  );
}

/** Only the symbol, with a label for screen readers. */
export function StatusSign({ status }: { status: Status }): VNode {
  const { sign, word } = statusWords(status);
  return (
    <span class={`status ${status}`} title={word}>
      <span aria-hidden="true">{sign}</span>
      <span class="off-screen">{word}</span>
    </span>
  );
}
