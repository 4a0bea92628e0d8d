// How a whole run ended, never by colour alone.

import type { VNode } from 'preact';
import type { verdictOf } from './run-facts.ts';

export function VerdictMark({
  verdict: { word, sign, tone },
}: {
  verdict: ReturnType<typeof verdictOf>;
}): VNode {
  return (
    <span class={`run-verdict ${tone}`}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  );
}
