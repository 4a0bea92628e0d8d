// The columns of the table of results.

import type { VNode } from 'preact';
import { readableText } from '../../src/text/untrusted.ts';
import { variableText } from '../../src/report/text/variable-text.ts';
import { caseResult } from '../data/figures.ts';
import type { Sort } from '../data/filter.ts';
import type { Case, RunData } from '../data/run-data.ts';
import { Line } from '../ui/text.tsx';
import { cost, count, duration, percent } from '../ui/words.ts';
import { RunStrip } from './run-strip.tsx';
import { inputKind } from '../../src/model/subject.ts';
import { reportKind } from '../../src/report/kinds/registry.ts';

export type Column = {
  id: string;
  label: string;
  width: string;
  sort?: Sort;
  /** True if the column is shown by default. */
  isUsual(data: RunData): boolean;
  cell(one: Case): VNode | string;
};

const hasRuns = ({ start }: RunData): boolean => (start?.runs_per_case ?? 1) > 1;

const COLUMNS: readonly Column[] = [
  {
    id: 'duration',
    label: 'Duration',
    width: '6rem',
    sort: 'duration',
    isUsual: () => true,
    cell: (one) => duration(caseResult(one)?.duration_ms),
  },
  {
    id: 'rate',
    label: 'Pass rate',
    width: '6rem',
    sort: 'rate',
    isUsual: hasRuns,
    cell: (one) => percent(caseResult(one)?.pass_rate),
  },
  {
    id: 'runs',
    label: 'Runs',
    width: '8rem',
    sort: 'stability',
    isUsual: hasRuns,
    cell: (one) => <RunStrip one={one} most={12} />,
  },
  {
    id: 'input',
    label: 'Input',
    width: 'minmax(8rem, 1fr)',
    isUsual: ({ start }) =>
      start?.inputs.some((input) => reportKind(inputKind(input)).hasInput === true) ?? true,
    cell: ({ attempts: [{ light }] }) => <Line text={readableText(light.input ?? '')} limit={120} />,
  },
  {
    id: 'tags',
    label: 'Tags',
    width: '8rem',
    isUsual: () => false,
    cell: ({ attempts: [{ light }] }) => <Line text={(light.tags ?? []).join(', ')} limit={80} />,
  },
  {
    id: 'tokens',
    label: 'Tokens',
    width: '6rem',
    isUsual: () => false,
    cell: ({ attempts }) => {
      const tokens = attempts.reduce(
        (sum, { light: { usage } }) => sum + (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0),
        0,
      );
      return tokens === 0 ? '–' : count(tokens);
    },
  },
  {
    id: 'cost',
    label: 'Cost',
    width: '6rem',
    sort: 'cost',
    isUsual: () => false,
    cell: ({ attempts }) => {
      const costs = attempts.flatMap(({ light }) => light.cost_usd ?? []);
      return costs.length === 0 ? '–' : cost(costs.reduce((sum, one) => sum + one, 0));
    },
  },
];

/** The values of a matrix, to distinguish its combinations. */
const variableColumns = memoized(({ start }: RunData): Column[] =>
  Object.keys(start?.matrix ?? {}).map((name) => ({
    id: `var.${name}`,
    label: name,
    width: 'minmax(6.5rem, 0.6fr)',
    isUsual: () => true,
    cell: ({ attempts: [{ light }] }) => <Line text={variableText(light.variables?.[name])} limit={60} />,
  })),
);

/** The columns that a run can have. */
export function allColumns(data: RunData): readonly Column[] {
  return [...variableColumns(data), ...COLUMNS];
}

/** The columns named in the address, or the default ones. */
export function chooseColumns(names: string | null, data: RunData): readonly Column[] {
  const all = allColumns(data);
  if (names === null) return all.filter((column) => column.isUsual(data));
  const wanted = names.split(',');
  return all.filter(({ id }) => wanted.includes(id));
}

/** Returns the same objects for the same run: columns are compared by identity. */
function memoized(columns: (data: RunData) => Column[]): (data: RunData) => Column[] {
  const known = new WeakMap<RunData, { matrix: unknown; columns: Column[] }>();
  return (data) => {
    const matrix = data.start?.matrix;
    const before = known.get(data);
    if (before !== undefined && before.matrix === matrix) return before.columns;
    const made = columns(data);
    known.set(data, { matrix, columns: made });
    return made;
  };
}
