// Why buttons are disabled in a page without the right token.

import type { VNode } from 'preact';

/** `purpose`: the action that is not available. */
export function NoToken({ purpose = 'start runs' }: { purpose?: string }): VNode {
  return (
    <>
      Open the address that <code>assay view</code> printed to {purpose} from here.
    </>
  );
}
