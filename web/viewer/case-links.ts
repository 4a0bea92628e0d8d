// Texts and links for a case, which is identified by test, id and variables.

import { variableText } from '../../src/report/text/variable-text.ts';
import { link } from '../route.ts';

type KnownCase = { case_id: string; variables: Record<string, unknown> | null };

/** `Language=de, Temperature=0` */
export function variablesText(variables: KnownCase['variables']): string {
  return Object.entries(variables ?? {})
    .map(([name, value]) => `${name}=${variableText(value)}`)
    .join(', ');
}

/** The address of the case's page in a run; the page finds it by test, id and variables. */
export function caseInRunLink(run: string, test: string, { case_id, variables }: KnownCase): string {
  const v = Object.keys(variables ?? {}).length === 0 ? undefined : JSON.stringify(variables);
  return link(['run', run, 'case-of'], { test, id: case_id, v });
}

export function caseHistoryLink(test: string, { case_id, variables }: KnownCase): string {
  return link(['case-history'], { test, case: case_id, with: variablesText(variables) });
}
