// The list at the end of a run of what did not pass, grouped by cause. Its size does not depend on that of the run.

import type { ErrorCode } from '../../model/outcome.ts';
import type { KindId } from '../../model/subject.ts';
import { oneLine } from '../../text/untrusted.ts';
import type { CaseResult } from '../fold/case-result.ts';
import { isUnmeasured } from '../fold/case-result.ts';
import { causeKey } from '../fold/causes.ts';
import { failureHeadline, listFailures } from '../fold/failures.ts';
import { counted } from '../text/run-words.ts';
import type { Style } from './style.ts';

export type NotPassed = {
  /** Passed cases and those in quarantine are left out. */
  add(result: CaseResult, kind: KindId, name: string): void;
  /** Empty if everything passed. */
  lines(noun: string, style: Style): string;
};

type Cause = Pick<CaseResult, 'code' | 'status'> & { why: string; count: number; names: string[] };

/** Causes that are kept and shown, for failures and for what could not be measured, and named cases of each. */
const MOST_CAUSES = 10;
const MOST_NAMES = 3;
/** Many causes are kept, because the most frequent ones are shown. */
const MOST_KEPT = 500;
const WHY_LENGTH = 160;
const NAME_LENGTH = 60;

/** What helps against errors that are not the agent's. */
const REMEDIES: { readonly [Code in ErrorCode]?: string } = {
  auth: 'set the key that it needs, in .env or the environment',
  connection: 'check that the server is running and can be reached',
  rate_limit: 'use a lower --parallel',
  replay: 'record what is missing: --record-missing',
};

/** Collects what did not pass. */
export function createNotPassed(): NotPassed {
  const failed = createCauses();
  const unmeasured = createCauses();
  return {
    add(result, kind, name) {
      if (result.status === 'passed' || result.quarantined !== undefined) return;
      (isUnmeasured(result) ? unmeasured : failed).add(result, kind, name);
    },
    lines: (noun, style) =>
      section('Did not pass', failed.list(), { noun, style }) +
      section('Could not be measured', unmeasured.list(), { noun, style, hasRemedies: true }),
  };
}

type Listed = { causes: Cause[]; left: { causes: number; cases: number } };

function createCauses(): { add(result: CaseResult, kind: KindId, name: string): void; list(): Listed } {
  const causes = new Map<string, Cause>();
  let others = 0;
  return {
    add(result, kind, name) {
      const run = result.run_details?.find(({ status }) => status !== 'passed' && status !== 'skipped');
      const [first] = listFailures(run ?? result, kind);
      const why = first === undefined ? result.status : failureHeadline(first);
      const { status, code } = run ?? result;
      const key = causeKey({ status, ...(code !== undefined && { code }), error: why });
      const known = causes.get(key);
      if (known !== undefined) {
        known.count += 1;
        if (known.names.length < MOST_NAMES) known.names.push(name);
      } else if (causes.size < MOST_KEPT)
        causes.set(key, { status, ...(code !== undefined && { code }), why, count: 1, names: [name] });
      else others += 1;
    },
    list() {
      const sorted = [...causes.values()].sort((a, b) => b.count - a.count);
      const rest = sorted.slice(MOST_CAUSES);
      const cases = rest.reduce((sum, { count }) => sum + count, others);
      // Each case that was not kept may have a cause of its own.
      return { causes: sorted.slice(0, MOST_CAUSES), left: { causes: rest.length + others, cases } };
    },
  };
}

function section(
  title: string,
  { causes, left }: Listed,
  { noun, style, hasRemedies = false }: { noun: string; style: Style; hasRemedies?: boolean },
): string {
  if (causes.length === 0) return '';
  let text = `${style.bold(`${title}:`)}\n`;
  for (const { status, code, why, count, names } of causes) {
    const shown = names.map((name) => oneLine(name, NAME_LENGTH)).join(', ');
    const more = count > names.length ? ` and ${count - names.length} more` : '';
    const which = count === 1 ? shown : `${counted(count, noun)}: ${shown}${more}`;
    text += `${style.status[status](style.symbols[status])} ${oneLine(why, WHY_LENGTH)}\n`;
    text += `  ${style.branch} ${style.dim(which)}\n`;
    const remedy = hasRemedies && code !== undefined ? REMEDIES[code] : undefined;
    if (remedy !== undefined) text += `  ${style.branch} ${remedy}\n`;
  }
  if (left.cases > 0)
    text += `… and ${counted(left.cases, noun)} with ${counted(left.causes, 'other cause')}; the log has them all\n`;
  return text;
}
