import type { Verdict } from '../model/outcome.ts';
import { judgeName, opinionText } from './activity-text.ts';

/** `passed: judge: score 0.90: polite`, `failed: equals: expected "a"`. It may be hostile. */
export function verdictText(verdict: Verdict): string {
  const { status, path, negate, message } = verdict;
  const name = `${negate === true ? 'not ' : ''}${judgeName(verdict)}${path === undefined ? '' : ` ${path}`}`;
  const said = opinionText(verdict) ?? message;
  return [status, name, said].filter((part) => part !== undefined).join(': ');
}
