// Maximum bipartite matching: which elements of two lists stay without a partner.

/** The indexes of the elements without a partner, in ascending order. */
export type Unmatched = { lefts: number[]; rights: number[] };

/**
 * Finds a maximum matching by augmenting paths: pairs elements that fit, each at most once. Earlier elements on the left
 * are paired first and stay paired.
 */
export function findUnmatched<L, R>(
  lefts: readonly L[],
  rights: readonly R[],
  fits: (left: L, right: R) => boolean,
): Unmatched {
  const options = lefts.map((left) => [...rights.keys()].filter((right) => fits(left, at(rights, right))));
  const partners = new Map<number, number>();
  const unmatched: number[] = [];
  for (const left of lefts.keys()) if (!findPartner(left, new Set())) unmatched.push(left);
  return { lefts: unmatched, rights: [...rights.keys()].filter((right) => !partners.has(right)) };

  /** Pairs with a free right element, or with one whose partner can move to another. */
  function findPartner(left: number, tried: Set<number>): boolean {
    const fitting = at(options, left);
    // Free elements first, which keeps augmenting paths short.
    const free = fitting.find((right) => !partners.has(right));
    const found = free ?? fitting.find((right) => canBeFreed(right, tried));
    if (found === undefined) return false;
    partners.set(found, left);
    return true;
  }

  function canBeFreed(right: number, tried: Set<number>): boolean {
    if (tried.has(right)) return false;
    tried.add(right);
    const owner = partners.get(right);
    return owner === undefined || findPartner(owner, tried);
  }
}

/** The element at an index that is known to be there. */
function at<T>(list: readonly T[], index: number): T {
  // The index comes from the list itself, and an element may be undefined, hence the cast.
  return list[index] as T;
}
