/** Commands that may also be said with `test` before them. */
export const OF_TEST: ReadonlySet<string> = new Set(['list', 'run', 'suite']);

/**
 * Go's single-dash long flags become what the parser knows: `-run X` and `-run=X` mean `--run X`. `test run`, `test suite`
 * and `test list` are `run`, `suite` and `list`.
 */
export function normaliseArguments(argv: readonly string[]): string[] {
  const isOfTest = argv[0] === 'test' && OF_TEST.has(argv[1] ?? '');
  const args = isOfTest ? argv.slice(1) : argv;
  const end = args.indexOf('--');
  const stop = end === -1 ? args.length : end;
  return args.map((arg, index) => (index < stop && /^-run(=|$)/.test(arg) ? `-${arg}` : arg));
}
