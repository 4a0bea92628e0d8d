// Text of agents: hostile, and of any length. It is shown as text, with what cannot be seen spelled out.

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { cutText } from '../../src/text/cut-text.ts';
import { escapeControls, oneLine, readableText } from '../../src/text/untrusted.ts';

/** So much of a long text is shown at first, and so much more at every click. */
const STEP = 20_000;
const LINE_LENGTH = 500;

/** A short text inside a line. */
export function Line({ text, limit = LINE_LENGTH }: { text: unknown; limit?: number }): VNode {
  // What an agent calls a name may be anything.
  return <bdi>{oneLine(readableText(text), limit)}</bdi>;
}

/** A value as it stands, line by line; JSON is indented. */
export function Block({ value, label }: { value: unknown; label?: string }): VNode {
  const text = readableText(value, 2);
  const [shown, setShown] = useState(STEP);
  const left = text.length - shown;
  return (
    <div class="block">
      <pre tabIndex={0} aria-label={label ?? 'Text'} role="region">
        {escapeControls(cutText(text, shown))}
      </pre>
      <p class="block-tools">
        {left > 0 && (
          <button type="button" class="quiet" onClick={() => setShown(shown * 5)}>
            Show more ({left.toLocaleString('en')} characters left)
          </button>
        )}
        <CopyButton text={text} />
      </p>
    </div>
  );
}

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }): VNode {
  const [state, setState] = useState<'copied' | 'failed' | 'idle'>('idle');
  const copy = async (): Promise<void> => {
    setState((await copied(text)) ? 'copied' : 'failed');
    setTimeout(() => setState('idle'), 2000);
  };
  return (
    <button type="button" class="quiet copy" onClick={() => void copy()}>
      {{ idle: label, copied: 'Copied', failed: 'Not allowed here' }[state]}
    </button>
  );
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text);
  }
}

/** A page from the disk may not write to the clipboard in some browsers, but may copy what is selected. */
function copiedBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'off-screen';
  document.body.append(area);
  area.select();
  try {
    // Deprecated, and the only way left.
    return document.execCommand('copy');
  } finally {
    area.remove();
  }
}
