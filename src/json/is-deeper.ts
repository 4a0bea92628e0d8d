/** True if objects and lists are nested deeper than `levels`. Works level by level: a deep value overflows the stack of a recursion. */
export function isDeeper(root: unknown, levels: number): boolean {
  let level = [root].filter(isNested);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= levels) return true;
    level = level.flatMap((value) => Object.values(value).filter(isNested));
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
