/**
 * The identity of a case in a run: results with equal keys are runs of the same case. The last part is what
 * `variablesKey` makes of its variables: with other variables it is another case.
 */
export function caseKey(testId: string, caseId: string, variables = ''): string {
  return `${testId}\0${caseId}\0${variables}`;
}
