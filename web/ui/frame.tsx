// The frame around every page.

import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Guarded } from './guarded.tsx';

type Theme = 'auto' | 'dark' | 'light';

export function Frame({ nav, children }: { nav?: VNode; children: ComponentChildren }): VNode {
  return (
    <>
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to the content
      </a>
      <header class="top page">
        <a class="brand" href="#/">
          Assay
        </a>
        {nav}
        <ThemeButton />
      </header>
      <Guarded>{children}</Guarded>
    </>
  );
}

/** The hash is used for routes, so the browser cannot scroll to an anchor by itself. */
function focusMain(event: Event): void {
  event.preventDefault();
  const main = document.getElementById('main');
  main?.setAttribute('tabindex', '-1');
  main?.focus();
}

const NEXT: Record<Theme, Theme> = { auto: 'dark', dark: 'light', light: 'auto' };

function ThemeButton(): VNode {
  const [theme, setTheme] = useState<Theme>(savedTheme());
  const change = (): void => {
    const next = NEXT[theme];
    setTheme(next);
    applyTheme(next);
    dispatchEvent(new Event('assay-theme'));
    try {
      localStorage.setItem('assay-theme', next);
    } catch {
      // A page opened from disk may have no storage.
    }
  };
  return (
    <button
      type="button"
      class="quiet theme"
      onClick={change}
      aria-label={`Colours: ${theme}`}
      title={`Colours: ${theme}`}
    >
      <span aria-hidden="true">{{ auto: '◐', dark: '●', light: '○' }[theme]}</span>
    </button>
  );
}

function savedTheme(): Theme {
  try {
    const saved = localStorage.getItem('assay-theme');
    return saved === 'dark' || saved === 'light' ? saved : 'auto';
  } catch {
    return 'auto';
  }
}

export function applyTheme(theme: Theme = savedTheme()): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
