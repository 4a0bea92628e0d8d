// One page of the viewer: heading, window title, and focus on arrival.

import type { ComponentChildren, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { Line } from '../ui/text.tsx';
import { about } from './about.ts';
import { leftAt, returnTo } from './scroll-memory.ts';
import type { Refusal } from './api.ts';

export function Page({
  title,
  id,
  actions,
  children,
}: {
  title: string;
  /** Identifies the page, without its filters. */
  id: string;
  actions?: VNode | false;
  children: ComponentChildren;
}): VNode {
  useArrival(title, id);
  return (
    <main class="page" id="main">
      <div class="run-head">
        <h1>
          <Line text={title} limit={200} />
        </h1>
        {actions !== undefined && actions !== false && <div class="actions">{actions}</div>}
      </div>
      {children}
    </main>
  );
}

let arrived: string | undefined;

/** Moves the focus to the heading so that screen readers announce the page, or restores the scroll position. */
export function useArrival(title: string, id: string, { heading = 'h1', isReady = true } = {}): void {
  const root = about.value?.root;
  useEffect(() => {
    document.title = root === undefined ? `${title} · Assay` : `${title} · ${root} · Assay`;
  }, [title, root]);
  useEffect(() => {
    if (!isReady || arrived === id) return;
    const isFirst = arrived === undefined;
    arrived = id;
    if (isFirst) return;
    returnTo(leftAt());
    const target = document.querySelector<HTMLElement>(heading) ?? document.querySelector<HTMLElement>('h1');
    target?.setAttribute('tabindex', '-1');
    target?.focus({ preventScroll: true });
  }, [id, isReady]);
}

/** Placeholder while an answer is loading. */
export function Waiting({ refusal, reload }: { refusal: Refusal | undefined; reload(): void }): VNode {
  if (refusal === undefined)
    return (
      <p role="status" class="note">
        Reading …
      </p>
    );
  return (
    <div class="banner bad" role="alert">
      <p>
        <Line text={refusal.message} />
        {refusal.hint !== undefined && (
          <>
            {' – '}
            <Line text={refusal.hint} />
          </>
        )}
      </p>
      <button type="button" onClick={reload}>
        Try again
      </button>
    </div>
  );
}
