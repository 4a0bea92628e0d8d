// Text that cannot break out of the HTML it is put into.

import { escapeControls } from '../../text/untrusted.ts';

/** Escapes everything that HTML takes as markup, in elements as well as in attributes. */
export function escapeHtml(text: string): string {
  return escapeControls(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
