// Untrusted text of any length, such as answers. It is shown as plain text with invisible characters escaped.

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { cutText } from '../../src/text/cut-text.ts';
import { escapeControls, oneLine, readableText } from '../../src/text/untrusted.ts';

/** Characters of a long text shown at first, and added with every click. */
const STEP = 20_000;
const LINE_LENGTH = 500;

/** A short text inside a line. */
export function Line({ text, limit = LINE_LENGTH }: { text: unknown; limit?: number }): VNode {
  // Names from an agent may be of any type.
  return <bdi>{oneLine(readableText(text), limit)}</bdi>;
}

/** A value line by line; JSON is indented. */
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

/** Copies a text to the clipboard and confirms it. */
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

/** Copies by selection: in some browsers, a page opened from disk may not write to the clipboard. */
function copiedBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'off-screen';
  document.body.append(area);
  area.select();
  try {
    // Deprecated, but there is no other way.
    return document.execCommand('copy');
  } finally {
    area.remove();
  }
}
