const MAX_SHOWN = 10;

/** The first names of a list, and how many more there are: a package that is installed again has many files. */
export function shortList(files: readonly string[]): string {
  const more = files.length - MAX_SHOWN;
  const shown = files.slice(0, MAX_SHOWN).join(', ');
  return more > 0 ? `${shown} and ${String(more)} more` : shown;
}
