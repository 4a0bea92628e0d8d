type Growth = { small: number; large: number; floorUs: number };

/**
 * How much longer the large size takes than the small one, in processor time. The smallest of several ratios: a busy machine
 * makes single ones larger, quadratic work makes all of them large.
 */
export async function smallestGrowth(
  work: (size: number) => () => unknown,
  { small, large, floorUs }: Growth,
): Promise<number> {
  const measure = async (size: number): Promise<number> => {
    const run = work(size);
    const start = process.cpuUsage().user;
    await run();
    return process.cpuUsage().user - start;
  };
  await measure(small);
  let best = Infinity;
  for (let round = 0; round < 8 && best > large / small; round += 1)
    best = Math.min(best, (await measure(large)) / Math.max(await measure(small), floorUs));
  return best;
}
