// Reads gates on a whole run: `pass_rate >= 90`, `pass_rate[tag:smoke] >= 95`, `cost <= 2.50`, `latency_p95 <= 3s`, and on scores:
// `faithful >= 0.8`, `metric:cost >= 0.8`.

import { messageOf } from '../../errors.ts';
import { parseDuration } from '../../text/duration.ts';
import { nearest } from '../../text/nearest.ts';

/** What a run measures whatever its cases assert. */
export const METRICS = ['cost', 'latency_mean', 'latency_p50', 'latency_p95', 'pass_rate'] as const;
type Metric = (typeof METRICS)[number];

const OPERATORS = ['>=', '>', '<=', '<'] as const;
type Operator = (typeof OPERATORS)[number];

export type Gate = {
  /** As it was written. */
  text: string;
  metric: Metric | 'score';
  /** The metric whose scores it is about. */
  score?: string;
  /** Only cases with this tag. */
  tag?: string;
  operator: Operator;
  /** Percent of a pass rate, dollars of a cost, milliseconds of a latency, a score from 0 to 1. */
  value: number;
};

const FORM = /^\s*([a-z_][\w.-]*)?\s*(?:\[([^\]]*)\])?\s*([<>=!]+)?\s*(.*?)\s*$/i;

/**
 * Reads a gate.
 * @example parseGate('cost <= $2.50') // { text: 'cost <= $2.50', metric: 'cost', operator: '<=', value: 2.5 }
 */
export function parseGate(text: string): { value: Gate } | { problem: string } {
  const problem = (message: string): { problem: string } => ({ problem: `"${text.trim()}": ${message}` });
  const [, scored] = /^\s*metric\s*:(.*)$/s.exec(text) ?? [];
  if (scored !== undefined) {
    const [, score = '', sign, limit = ''] = SCORE_FORM.exec(scored) ?? [];
    if (score === '')
      return problem('after "metric:" there is the name of a metric, like metric:tone >= 0.8');
    return scoreGate(text, { score, sign, limit }, problem);
  }
  const [, name, scope, sign, limit = ''] = FORM.exec(text) ?? [];
  if (name === undefined)
    return problem('a gate is like "pass_rate >= 90", "cost <= 2.50" or "latency_p95 <= 3s"');
  const metric = METRICS.find((one) => one === name);
  if (metric === undefined) {
    if (scope !== undefined || isMistaken(name, limit))
      return problem(`unknown metric ${name}; ${suggestion(name)}`);
    return scoreGate(text, { score: name, sign, limit }, problem);
  }
  const operator = OPERATORS.find((one) => one === sign);
  if (operator === undefined) return problem(operatorProblem(sign));
  const tag = scope === undefined ? undefined : /^\s*tag\s*:\s*(.*\S)\s*$/.exec(scope)?.[1];
  if (scope !== undefined && tag === undefined)
    return problem('in brackets there is a tag, like pass_rate[tag:smoke]');
  if (tag !== undefined && metric !== 'pass_rate') return problem('only pass_rate can be that of a tag');
  const value = VALUES[metric.startsWith('latency') ? 'latency' : (metric as 'cost' | 'pass_rate')](limit);
  if (typeof value === 'string') return problem(value);
  return { value: { text: text.trim(), metric, ...(tag !== undefined && { tag }), operator, value } };
}

/** `tone >= 0.8` after `metric:`; the name may have blanks in it. */
const SCORE_FORM = /^\s*(.*?)\s*([<>=!]+)\s*([^<>=!]*?)\s*$/s;

/** True for a name that is meant to be a metric of every run: its beginning, or a name like it with a limit that is no score. */
function isMistaken(name: string, limit: string): boolean {
  if (METRICS.some((metric) => metric.startsWith(name.toLowerCase()))) return true;
  return typeof scoreValue(limit) === 'string' && nearest(name, METRICS).length > 0;
}

function scoreGate(
  text: string,
  { score, sign, limit }: { score: string; sign: string | undefined; limit: string },
  problem: (message: string) => { problem: string },
): { value: Gate } | { problem: string } {
  const operator = OPERATORS.find((one) => one === sign);
  if (operator === undefined) return problem(operatorProblem(sign));
  const value = scoreValue(limit);
  if (typeof value === 'string') return problem(value);
  return { value: { text: text.trim(), metric: 'score', score, operator, value } };
}

function operatorProblem(sign: string | undefined): string {
  const what = sign === undefined ? 'an operator is missing' : `unknown operator ${sign}`;
  return `${what}; write >=, >, <= or <`;
}

/** A score from 0 to 1, or the problem with it. */
function scoreValue(text: string): number | string {
  const value = /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(text) ? Number(text) : NaN;
  if (value > 1 && value <= 100) return `a score is from 0 to 1: write ${value / 100} for ${value} %`;
  return value <= 1 ? value : `a score is a number from 0 to 1, not "${text}"`;
}

function suggestion(name: string): string {
  const same = METRICS.filter((metric) => metric.startsWith(name.toLowerCase()));
  const [near] = nearest(name, METRICS);
  if (same.length > 1) return `say which: ${same.join(', ')}`;
  const found = same[0] ?? near;
  return found === undefined ? `the metrics are ${METRICS.join(', ')}` : `did you mean ${found}?`;
}

/** A limit as a number, or the problem with it. */
const VALUES: Record<'cost' | 'latency' | 'pass_rate', (text: string) => number | string> = {
  cost(text) {
    const dollars = /^\$?\s*(\d+(?:\.\d+)?|\.\d+)$/.exec(text)?.[1];
    return dollars === undefined
      ? `must be an amount of dollars, such as 2.50, not "${text}"`
      : Number(dollars);
  },
  latency(text) {
    try {
      return parseDuration(text);
    } catch (error) {
      return `${messageOf(error)}; write a duration like 3s or 500ms`;
    }
  },
  pass_rate(text) {
    const value = /^\d+(?:\.\d+)?\s*%?$/.test(text) ? Number(text.replace('%', '')) : NaN;
    if (value > 0 && value < 1) return `is in percent: write ${value * 100} for ${value}`;
    return value <= 100 ? value : `must be a percentage from 0 to 100, not "${text}"`;
  },
};

/** Whether a figure satisfies a gate. The tolerance hides binary fractions. */
export function isSatisfied({ operator, value }: Pick<Gate, 'operator' | 'value'>, figure: number): boolean {
  const difference = figure - value;
  switch (operator) {
    case '>=':
      return difference >= -1e-9;
    case '>':
      return difference > 1e-9;
    case '<=':
      return difference <= 1e-9;
    case '<':
      return difference < -1e-9;
  }
}
