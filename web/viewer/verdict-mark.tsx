// The result of a run, never shown by colour alone.

import type { VNode } from 'preact';
import type { runVerdict } from './run-facts.ts';

export function VerdictMark({
  verdict: { word, sign, tone },
}: {
  verdict: ReturnType<typeof runVerdict>;
}): VNode {
  return (
    <span class={`run-verdict ${tone}`}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  );
}
