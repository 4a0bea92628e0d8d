/** Verbs that can also be written with `test` before them. */
export const OF_TEST: ReadonlySet<string> = new Set(['list', 'run', 'suite']);

/**
 * Rewrites what commander cannot read: `-run X` and `-run=X`, as Go writes them, become `--run X`; `test run`, `test suite` and
 * `test list` become `run`, `suite` and `list`.
 */
export function normaliseArguments(argv: readonly string[]): string[] {
  const hasTestBefore = argv[0] === 'test' && OF_TEST.has(argv[1] ?? '');
  const args = hasTestBefore ? argv.slice(1) : argv;
  const end = args.indexOf('--');
  const stop = end === -1 ? args.length : end;
  return args.map((arg, index) => (index < stop && /^-run(=|$)/.test(arg) ? `-${arg}` : arg));
}
