// Escapes untrusted text for HTML.

import { escapeControls } from '../../text/untrusted.ts';

/** Escapes text for elements and attributes. */
export function escapeHtml(text: string): string {
  return escapeControls(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
