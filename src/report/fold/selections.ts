// Choices of `select_best` in; how often each variant was the best, by criteria, out.

import type { SelectionEvent, StartEvent } from '../../model/event.ts';
import type { EventSource } from '../../model/sink.ts';
import { canonicalJson } from '../../stats/canonical.ts';

/** How often a variant was the best, of the choices that it was part of. */
type SelectedVariant = { variables: Record<string, unknown>; best: number; total: number };

/** The choices by one criterion; `errors` could not be made. */
export type Selections = { criteria: unknown; variants: SelectedVariant[]; errors: number };

export type SelectionFold = { add(event: SelectionEvent): void; result(): Selections[] };

/** Reads the log again if its run has a matrix. */
export async function foldSelections(
  source: EventSource,
  { matrix }: Pick<StartEvent, 'matrix'>,
): Promise<Selections[]> {
  if (matrix === undefined) return [];
  const fold = createSelectionFold();
  for await (const event of source.events()) if (event.type === 'selection') fold.add(event);
  return fold.result();
}

/** Of several choices for the same case, run and criteria the last counts: the run was resumed in between. */
export function createSelectionFold(): SelectionFold {
  const last = new Map<string, SelectionEvent>();
  return {
    add(event) {
      const { test_id, id, run, criteria } = event;
      last.set(canonicalJson([test_id, id, run, criteria]), event);
    },
    result() {
      const all = new Map<
        string,
        { criteria: unknown; variants: Map<string, SelectedVariant>; errors: number }
      >();
      for (const { criteria, choices, best, error } of last.values()) {
        const key = canonicalJson(criteria);
        const counts = all.get(key) ?? { criteria, variants: new Map<string, SelectedVariant>(), errors: 0 };
        all.set(key, counts);
        if (error !== undefined || best === undefined) {
          counts.errors += 1;
          continue;
        }
        const chosen = canonicalJson(best);
        for (const variables of choices) {
          const name = canonicalJson(variables);
          const variant = counts.variants.get(name) ?? { variables, best: 0, total: 0 };
          counts.variants.set(name, variant);
          variant.total += 1;
          if (name === chosen) variant.best += 1;
        }
      }
      return [...all.values()].map(({ criteria, variants, errors }) => ({
        criteria,
        variants: [...variants.entries()]
          .sort(([a, one], [b, other]) => other.best - one.best || (a < b ? -1 : 1))
          .map(([, variant]) => variant),
        errors,
      }));
    },
  };
}
