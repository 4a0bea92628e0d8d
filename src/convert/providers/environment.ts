// `{{env.NAME}}` of promptfoo is `$ENV.NAME` here.

const VARIABLE = /\{\{\s*env(?:\.([A-Za-z_]\w*)|\[\s*['"]([A-Za-z_]\w*)['"]\s*\])\s*\}\}/g;

/** The text with its variables of the environment; undefined if it has other templates. */
export function environmentText(text: string): string | undefined {
  const filled = text.replaceAll(
    VARIABLE,
    (_, first?: string, second?: string) => `$ENV.${first ?? second ?? ''}`,
  );
  return /\{\{|\{%/.test(filled) ? undefined : filled;
}
