// Texts about the choices of `select_best`, shared by several reports. They are untrusted and not escaped here.

import { oneLine, readableText } from '../../text/untrusted.ts';
import type { Selections } from '../fold/selections.ts';
import { variableText } from './variable-text.ts';

const CRITERIA_LENGTH = 100;
const LISTED = 10;

/** `Best by "is friendlier": Model=b 3 of 4, Model=a 1 of 4; 1 could not be chosen` */
export function selectionText({ criteria, variants, errors }: Selections): string {
  const shown = variants.slice(0, LISTED).map(({ variables, best, total }) => {
    const name = Object.entries(variables).map(([one, value]) => `${one}=${variableText(value)}`);
    return `${name.join(' ')} ${String(best)} of ${String(total)}`;
  });
  if (variants.length > LISTED) shown.push(`and ${String(variants.length - LISTED)} more`);
  const parts = shown.length === 0 ? [] : [shown.join(', ')];
  if (errors > 0) parts.push(`${String(errors)} could not be chosen`);
  return `Best by "${oneLine(readableText(criteria), CRITERIA_LENGTH)}": ${parts.join('; ')}`;
}
