// Names with `*` in them, which stands for any text.

/** Whether a name is what was typed; `*` in it stands for any text. */
export function matchesWildcard(wanted: string, name: string): boolean {
  if (!wanted.includes('*')) return wanted === name;
  const pattern = wanted.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`));
  return new RegExp(`^${pattern.join('.*')}$`, 's').test(name);
}
