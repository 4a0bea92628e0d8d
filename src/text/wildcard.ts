/** True if a name matches a pattern in which `*` stands for any text. Takes linear time. */
export function matchesWildcard(wildcard: string, name: string): boolean {
  const [first = '', ...rest] = wildcard.split('*');
  const last = rest.pop();
  if (last === undefined) return wildcard === name;
  if (!name.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}
