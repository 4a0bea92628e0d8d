// Gates on the pass rate of a tag: the tags of all cases are noted while these are checked, so that a tag that no case has is refused.

import { ConfigError } from '../../errors.ts';
import type { Select } from '../../plan/filter.ts';
import { parseGate } from '../../plan/gates/parse-gate.ts';
import { didYouMean } from '../../text/nearest.ts';

export type GateTags = {
  /** The same selection; it also notes the tags. */
  watching(select: Select): Select;
  /** Throws ConfigError if there is a gate on a tag that no case has. `at`: where the gates come from. */
  check(at: string): void;
};

export function watchGateTags(gates: readonly string[]): GateTags {
  const wanted = gates.flatMap((text) => {
    const parsed = parseGate(text);
    return 'value' in parsed && parsed.value.tag !== undefined
      ? [{ text: parsed.value.text, tag: parsed.value.tag }]
      : [];
  });
  const seen = new Set<string>();
  return {
    watching: (select) => (testCase, origin) => {
      for (const tag of testCase.tags ?? []) seen.add(tag);
      for (const tag of origin.tags ?? []) seen.add(tag);
      return select(testCase, origin);
    },
    check(at) {
      const problems = wanted
        .filter(({ tag }) => !seen.has(tag))
        .map(({ text, tag }) => ({
          message: `"${text}": no case has the tag ${JSON.stringify(tag)}`,
          at,
          hint:
            didYouMean(tag, seen) ??
            (seen.size === 0
              ? 'no case has a tag: give cases "tags", or leave out the brackets'
              : `the tags are ${[...seen].slice(0, MOST_NAMED).join(', ')}${seen.size > MOST_NAMED ? ', …' : ''}`),
        }));
      if (problems.length > 0) throw ConfigError.of(problems);
    },
  };
}

const MOST_NAMED = 20;
