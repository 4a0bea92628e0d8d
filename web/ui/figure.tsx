// A chart with a title, a sentence about it, and the same numbers as a table.

import type { ComponentChildren, VNode } from 'preact';
import { useId } from 'preact/hooks';
import { oneLine } from '../../src/text/untrusted.ts';
import { Line } from './text.tsx';

export type Rows = { head: string[]; rows: (number | string)[][] };

export function Figure({
  title,
  note,
  table,
  children,
}: {
  title: string;
  note?: string;
  table: Rows;
  children: ComponentChildren;
}): VNode {
  const id = useId();
  return (
    <figure class="card" aria-labelledby={id}>
      <figcaption>
        <h3 id={id}>
          <Line text={title} />
        </h3>
        {note !== undefined && <p class="note">{note}</p>}
      </figcaption>
      <div class="chart">{children}</div>
      <details class="numbers">
        <summary>Table</summary>
        <DataTable {...table} label={title} />
      </details>
    </figure>
  );
}

export function DataTable({ head, rows, label }: Rows & { label: string }): VNode {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={oneLine(label)}>
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th scope="col" key={name}>
                <Line text={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) =>
                column === 0 ? (
                  <th scope="row" key={column}>
                    <Line text={String(cell)} />
                  </th>
                ) : (
                  <td key={column}>
                    <Line text={String(cell)} />
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
