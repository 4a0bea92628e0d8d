// Keeps secrets out of everything that is written or shown.

const MASK = '***';

/** Replaces every secret in a line of JSON or text, in the forms it may take there. */
export function createRedactor(secrets: readonly string[]): (line: string) => string {
  const forms = new Set<string>();
  for (const secret of secrets) {
    forms.add(secret);
    forms.add(JSON.stringify(secret).slice(1, -1));
    forms.add(encodeURIComponent(secret));
  }
  // The longest first: a secret that contains another one is replaced whole.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (line) =>
    ordered.reduce((text, form) => (text.includes(form) ? text.replaceAll(form, MASK) : text), line);
}
