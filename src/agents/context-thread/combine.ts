// `All`, `Any` and `Race` over several agents, models or tools.

export type Combined = 'All' | 'Any' | 'Race';

export function isCombined(method: string): method is Combined {
  return method === 'All' || method === 'Any' || method === 'Race';
}

/**
 * All answers in order; or, for Any, the first without an error, and for Race the first, as a list of one. The signal of
 * the others is then aborted. `ask` never rejects.
 */
export async function combine<Item, Answer extends { error?: string }>(
  mode: Combined,
  items: readonly Item[],
  ask: (item: Item, index: number, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer[]> {
  const controller = new AbortController();
  const asked = items.map((item, index) => ask(item, index, controller.signal));
  if (mode === 'All' || asked.length === 0) return Promise.all(asked);
  const isWinner = (answer: Answer): boolean => mode === 'Race' || answer.error === undefined;
  const winner = await Promise.any(
    asked.map(async (work) => {
      const answer = await work;
      if (isWinner(answer)) return answer;
      throw new Error(answer.error);
    }),
  ).catch(() => undefined);
  controller.abort();
  return winner === undefined ? Promise.all(asked) : [winner];
}
