// Expected and actual value, line by line side by side.

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { cutText } from '../../src/text/cut-text.ts';
import { escapeControls, readableText } from '../../src/text/untrusted.ts';
import { sideBySide } from './diff.ts';

const MOST = 100_000;

export function DiffView({ expected, actual }: { expected: unknown; actual: unknown }): VNode {
  const lines = useMemo(() => {
    const text = (value: unknown): string => escapeControls(cutText(readableText(value, 2), MOST));
    return sideBySide(text(expected), text(actual));
  }, [expected, actual]);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Expected beside actual">
      <table class="diff">
        <thead>
          <tr>
            <th scope="col">Expected</th>
            <th scope="col">Actual</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ left, right, isSame }, at) => (
            <tr key={at} class={isSame ? '' : 'differs'}>
              <td>{left !== undefined && (isSame ? left : <del>{left}</del>)}</td>
              <td>{right !== undefined && (isSame ? right : <ins>{right}</ins>)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
