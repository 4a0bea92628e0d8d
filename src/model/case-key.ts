/**
 * The identity of a case in a run: results with equal keys are runs of the same case. The last part is what
 * `variablesKey` makes of its variables: with other variables it is another case. The log of a `--failed` run keeps
 * these keys, so their form cannot change.
 */
export function caseKey(testId: string, caseId: string, variables = ''): string {
  return variables === '' ? `${testId}\n${caseId}` : `${testId}\n${caseId}\n${variables}`;
}
