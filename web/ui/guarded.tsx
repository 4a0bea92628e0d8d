// An error boundary: shows the error in place of a part of the page that failed.

import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';

export function Guarded({ children }: { children: ComponentChildren }): VNode {
  const [error, forget] = useErrorBoundary((cause: unknown) => console.error(cause));
  useEffect(() => {
    addEventListener('hashchange', forget);
    return () => removeEventListener('hashchange', forget);
  }, [forget]);
  if (error === undefined) return <>{children}</>;
  return (
    <p class="banner bad" role="alert">
      This cannot be shown: {String(error)}
    </p>
  );
}
