/** Waits until `check` is true. */
export async function until(check: () => boolean | Promise<boolean>, limitMs = 20_000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`still not true after ${String(limitMs)} ms: ${String(check)}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}
