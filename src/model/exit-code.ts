// The exit code of a run, from what became of its cases.

export const EXIT = { passed: 0, failed: 1, config: 2, unmeasured: 3, interrupted: 130 } as const;

/** A proven failure stays one; an error that is nobody's fault is 3; an interruption beats both. */
export function exitCodeOf(run: { failures: number; unmeasured: number; interrupted: boolean }): number {
  if (run.interrupted) return EXIT.interrupted;
  if (run.failures > 0) return EXIT.failed;
  return run.unmeasured > 0 ? EXIT.unmeasured : EXIT.passed;
}
