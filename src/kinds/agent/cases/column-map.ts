// `--map question=input` in, the fields of cases by the names of columns out.

import type { Problem } from '../../../errors.ts';
import { nameHint } from '../../../schema/shape.ts';
import { quote } from '../../../text/quote.ts';
import { CASE_FIELDS } from './case.ts';

const GROUPED = /^(?:assert|metadata|options|vars)\../;

/** Undefined without `--map`; wrong assignments go to `problems`. */
export function readMap(
  assignments: readonly string[] | undefined,
  problems: Problem[],
): ReadonlyMap<string, string> | undefined {
  if (assignments === undefined || assignments.length === 0) return undefined;
  const map = new Map<string, string>();
  for (const assignment of assignments) {
    const end = assignment.lastIndexOf('=');
    const [column, field] = [assignment.slice(0, end).trim(), assignment.slice(end + 1).trim()];
    if (end === -1 || column === '' || field === '') {
      const message = `${quote(assignment)} is no assignment`;
      problems.push({ message, at: '--map', hint: 'write --map <column>=<field>, like question=input' });
    } else if (!CASE_FIELDS.includes(field) && !GROUPED.test(field)) {
      const hint = `${nameHint(field, CASE_FIELDS)}; others are metadata.…, vars.…, options.… or assert.<type>`;
      problems.push({ message: `a case has no field ${quote(field)}`, at: '--map', hint });
    } else if (map.has(column)) problems.push({ message: `${quote(column)} is mapped twice`, at: '--map' });
    else map.set(column, field);
  }
  return map;
}
