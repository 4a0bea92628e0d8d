// Reads gates on a whole run: `pass_rate >= 90`, `pass_rate[tag:smoke] >= 95`, `cost <= 2.50`, `latency_p95 <= 3s`.

import { messageOf } from '../../errors.ts';
import { parseDuration } from '../../text/duration.ts';
import { nearest } from '../../text/nearest.ts';

const METRICS = ['cost', 'latency_mean', 'latency_p50', 'latency_p95', 'pass_rate'] as const;
type Metric = (typeof METRICS)[number];

const OPERATORS = ['>=', '>', '<=', '<'] as const;
type Operator = (typeof OPERATORS)[number];

export type Gate = {
  /** As it was written. */
  text: string;
  metric: Metric;
  /** Only cases with this tag. */
  tag?: string;
  operator: Operator;
  /** Percent of a pass rate, dollars of a cost, milliseconds of a latency. */
  value: number;
};

const FORM = /^\s*([a-z_]\w*)?\s*(?:\[([^\]]*)\])?\s*([<>=!]+)?\s*(.*?)\s*$/i;

/**
 * Reads a gate.
 * @example parseGate('cost <= $2.50') // { text: 'cost <= $2.50', metric: 'cost', operator: '<=', value: 2.5 }
 */
export function parseGate(text: string): { value: Gate } | { problem: string } {
  const [, name, scope, sign, limit = ''] = FORM.exec(text) ?? [];
  const problem = (message: string): { problem: string } => ({ problem: `"${text.trim()}": ${message}` });
  if (name === undefined)
    return problem('a gate is like "pass_rate >= 90", "cost <= 2.50" or "latency_p95 <= 3s"');
  const metric = METRICS.find((one) => one === name);
  if (metric === undefined) return problem(`unknown metric ${name}; ${suggestion(name)}`);
  const operator = OPERATORS.find((one) => one === sign);
  if (operator === undefined)
    return problem(
      `${sign === undefined ? 'an operator is missing' : `unknown operator ${sign}`}; write >=, >, <= or <`,
    );
  const tag = scope === undefined ? undefined : /^\s*tag\s*:\s*(.*\S)\s*$/.exec(scope)?.[1];
  if (scope !== undefined && tag === undefined)
    return problem('in brackets there is a tag, like pass_rate[tag:smoke]');
  if (tag !== undefined && metric !== 'pass_rate') return problem('only pass_rate can be that of a tag');
  const value = VALUES[metric.startsWith('latency') ? 'latency' : (metric as 'cost' | 'pass_rate')](limit);
  if (typeof value === 'string') return problem(value);
  return { value: { text: text.trim(), metric, ...(tag !== undefined && { tag }), operator, value } };
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
