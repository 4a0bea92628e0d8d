// The exit code of a run, from the results of its cases.

export const EXIT = { passed: 0, failed: 1, config: 2, unmeasured: 3, interrupted: 130 } as const;

/** An interruption wins over a failure, and a failure over what could not be measured or was cut off by a budget. */
export function runExitCode(run: {
  failures: number;
  unmeasured: number;
  interrupted: boolean;
  incomplete?: boolean;
  /** Failures are reported, and do not fail the run. */
  isReportOnly?: boolean;
  /** The answers of what decides the run, in place of "every case passed". */
  answers?: readonly number[];
}): number {
  if (run.interrupted) return EXIT.interrupted;
  if (run.answers !== undefined && run.answers.length > 0) return answerCode(run.answers, run.unmeasured);
  if (run.failures > 0 && run.isReportOnly !== true) return EXIT.failed;
  return run.unmeasured > 0 || run.incomplete === true ? EXIT.unmeasured : EXIT.passed;
}

function answerCode(answers: readonly number[], unmeasured: number): number {
  if (answers.includes(EXIT.failed)) return EXIT.failed;
  return answers.includes(EXIT.unmeasured) || unmeasured > 0 ? EXIT.unmeasured : EXIT.passed;
}
