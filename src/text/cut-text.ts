/** The first `limit` characters at most, never half of a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const code = text.charCodeAt(limit - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit);
}

/** The first `limit` characters, and "…" if some are left out. */
export function ellipsize(text: string, limit: number): string {
  return text.length <= limit ? text : `${cutText(text, limit)}…`;
}
