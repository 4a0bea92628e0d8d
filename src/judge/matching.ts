// Who is left over when as many as possible are paired.

/** The indexes of those without a partner, in ascending order. */
export type Unmatched = { lefts: number[]; rights: number[] };

/**
 * Pairs as many of the lefts and rights that fit each other as can be paired, each at most once, by augmenting paths.
 * Who comes first on the left gets a partner first, and keeps one.
 */
export function findUnmatched<L, R>(
  lefts: readonly L[],
  rights: readonly R[],
  fits: (left: L, right: R) => boolean,
): Unmatched {
  const options = lefts.map((left) => [...rights.keys()].filter((right) => fits(left, at(rights, right))));
  const partnerOf = new Map<number, number>();
  const unmatched: number[] = [];
  for (const left of lefts.keys()) if (!findPartner(left, new Set())) unmatched.push(left);
  return { lefts: unmatched, rights: [...rights.keys()].filter((right) => !partnerOf.has(right)) };

  /** Takes a right that is free, or one whose partner can take another. */
  function findPartner(left: number, tried: Set<number>): boolean {
    const fitting = at(options, left);
    // Free ones first: a path is then only as long as it has to be.
    const free = fitting.find((right) => !partnerOf.has(right));
    const found = free ?? fitting.find((right) => isGivenUp(right, tried));
    if (found === undefined) return false;
    partnerOf.set(found, left);
    return true;
  }

  function isGivenUp(right: number, tried: Set<number>): boolean {
    if (tried.has(right)) return false;
    tried.add(right);
    const owner = partnerOf.get(right);
    return owner === undefined || findPartner(owner, tried);
  }
}

/** The element at an index that is known to be there. */
function at<T>(list: readonly T[], index: number): T {
  // A cast, because the index comes from the list itself and an element may be undefined.
  return list[index] as T;
}
