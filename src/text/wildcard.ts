/** True if a name matches a pattern in which `*` stands for any text. */
export function matchesWildcard(wildcard: string, name: string): boolean {
  if (!wildcard.includes('*')) return wildcard === name;
  const pattern = wildcard.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`));
  return new RegExp(`^${pattern.join('.*')}$`, 's').test(name);
}
