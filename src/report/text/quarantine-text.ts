// Words about cases in quarantine.

import type { QuarantineCounts, QuarantineMark, WorseCase } from '../../model/quarantine.ts';
import { variableText } from './variable-text.ts';

/** `quarantined: times out at night, until 2026-01-31`; untrusted. */
export function markText({ reason, until, owner }: QuarantineMark): string {
  return `quarantined: ${reason}, until ${until}${owner === undefined ? '' : ` (${owner})`}`;
}

/** `2 cases, 1 of them failed, which does not fail the run` */
export function quarantineText({ cases, failed, worse = [] }: QuarantineCounts, noun: string): string {
  const all = cases === 1 ? `1 ${noun}` : `${cases} ${noun}s`;
  if (failed === 0 && worse.length === 0) return `${all}, ${cases === 1 ? 'passed' : 'none of them failed'}`;
  const excused = failed === 0 ? '' : `, ${failed} failed, which does not fail the run`;
  return `${all}${excused}`;
}

/** A line for each case that is proven worse than its history; untrusted. */
export function worseTexts({ worse = [] }: QuarantineCounts): string[] {
  return worse.map(worseText);
}

function worseText({ test_id, id, variables, before, now, p }: WorseCase): string {
  const values = variables === undefined ? '' : ` ${valuesText(variables)}`;
  const rates = `${before.passed}/${before.runs} → ${now.passed}/${now.runs} passed`;
  return `${test_id} › ${id}${values} is worse than its history, so that its failure counts: ${rates} (p ${figure(p)})`;
}

function valuesText(variables: Record<string, unknown>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${variableText(value)}`)
    .join(' ');
}

function figure(p: number): string {
  return p < 0.0001 ? '< 0.0001' : String(Number(p.toPrecision(2)));
}
