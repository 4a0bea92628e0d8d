// A list to choose one value from, which the address remembers.

import type { VNode } from 'preact';
import { oneLine } from '../../src/text/untrusted.ts';
import { setQuery } from '../route.ts';
import { Line } from './text.tsx';

/** `name` is what the value is called in the address. Nothing is shown where there are fewer than `least` to choose from. */
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
