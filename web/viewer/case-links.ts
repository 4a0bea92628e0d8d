// A case is known by its id and its variables: how both are written, and where they lead.

import { variableText } from '../../src/report/variable-text.ts';
import { link } from '../route.ts';

type KnownCase = { case_id: string; variables: Record<string, unknown> | null };

/** `Language=de, Temperature=0` */
export function variablesText(variables: KnownCase['variables']): string {
  return Object.entries(variables ?? {})
    .map(([name, value]) => `${name}=${variableText(value)}`)
    .join(', ');
}

/** Where a run lists it. */
export function caseInRunLink(run: string, { case_id, variables }: KnownCase): string {
  const values = Object.entries(variables ?? {}).map(([name, value]) => [`var.${name}`, variableText(value)]);
  return link(['run', run, 'results'], { q: case_id, ...Object.fromEntries(values) });
}

export function caseHistoryLink(test: string, { case_id, variables }: KnownCase): string {
  return link(['case-history'], { test, case: case_id, with: variablesText(variables) });
}
