// Why buttons are disabled in a page without the right token.

import type { VNode } from 'preact';

/** `purpose`: what nobody can do from here. */
export function NoToken({ purpose = 'start runs' }: { purpose?: string }): VNode {
  return (
    <>
      Open the address that <code>assay view</code> printed to {purpose} from here.
    </>
  );
}
