/** Go's single-dash long flags become what the parser knows: `-run X` and `-run=X` mean `--run X`. */
export function normaliseArguments(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  const stop = end === -1 ? argv.length : end;
  return argv.map((arg, index) => (index < stop && /^-run(=|$)/.test(arg) ? `-${arg}` : arg));
}
