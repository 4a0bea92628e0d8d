// A select box whose value is kept in the address.

import type { VNode } from 'preact';
import { oneLine } from '../../src/text/untrusted.ts';
import { setQuery } from '../route.ts';
import { Line } from './text.tsx';

/** `name` is the query parameter. Hidden if there are fewer than `least` choices. */
export function QuerySelect({
  name,
  label,
  values,
  chosen,
  least = 1,
}: {
  name: string;
  label: string;
  values: readonly string[];
  chosen: string | undefined;
  least?: number;
}): VNode | null {
  const all = chosen === undefined || values.includes(chosen) ? values : [...values, chosen];
  if (values.length < least && chosen === undefined) return null;
  return (
    <label class="select">
      <Line text={label} limit={40} />{' '}
      <select value={chosen ?? ''} onChange={(event) => setQuery({ [name]: event.currentTarget.value })}>
        <option value="">all</option>
        {all.map((value) => (
          <option key={value} value={value}>
            {oneLine(value, 80)}
          </option>
        ))}
      </select>
    </label>
  );
}
