// A button that opens a small menu; the next click or key closes it.

import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

export function Menu({
  label,
  children,
}: {
  label: string;
  children: (close: () => void) => ComponentChildren;
}): VNode {
  const [isOpen, setOpen] = useState(false);
  const container = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const left = new AbortController();
    const { signal } = left;
    const close = (): void => setOpen(false);
    addEventListener('hashchange', close, { signal });
    addEventListener(
      'pointerdown',
      ({ target }) => {
        if (target instanceof Node && container.current?.contains(target) !== true) close();
      },
      { signal },
    );
    container.current?.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
        button.current?.focus();
      },
      { signal },
    );
    return () => left.abort();
  }, [isOpen]);
  return (
    <div class="menu" ref={container}>
      <button type="button" ref={button} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {label} <span aria-hidden="true">▾</span>
      </button>
      {isOpen && <div class="menu-body">{children(() => setOpen(false))}</div>}
    </div>
  );
}
