// The table of results. Only visible rows exist, so a hundred thousand rows scroll as fast as a hundred.

import { observeWindowOffset, observeWindowRect, Virtualizer, windowScroll } from '@tanstack/virtual-core';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { markText } from '../../src/report/text/quarantine-text.ts';
import { oneLine } from '../../src/text/untrusted.ts';
import { caseResult, settledStatus } from '../data/figures.ts';
import type { Filter, Sort } from '../data/filter.ts';
import type { Case } from '../data/run-data.ts';
import { setQuery } from '../route.ts';
import { StatusMark } from '../ui/status.tsx';
import { Line } from '../ui/text.tsx';
import { CasePreview } from './case-preview.tsx';
import type { Column } from './columns.tsx';
import { caseLink, useRun } from './run-context.ts';

const ROW_HEIGHT = 41;
/** Maximum number of printed rows. */
const PRINTED = 2000;

type ResultTableProps = { cases: readonly Case[]; filter: Filter; columns: readonly Column[] };

export function ResultTable({ cases, filter, columns }: ResultTableProps): VNode {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const body = useRef<HTMLDivElement>(null);
  const isPrinting = usePrinting();
  const virtual = useRows(cases, body);
  const template = ['8rem', 'minmax(10rem, 1.2fr)', ...columns.map(({ width }) => width)].join(' ');
  const toggle = (number: number): void => {
    const next = new Set(opened);
    if (!next.delete(number)) next.add(number);
    setOpened(next);
  };
  const items = isPrinting
    ? cases.slice(0, PRINTED).map((_, index) => ({ index, start: 0 }))
    : virtual.getVirtualItems();
  return (
    <div class="results" role="table" aria-label="Results" aria-rowcount={cases.length + 1}>
      <div role="rowgroup">
        <HeadRow columns={columns} template={template} filter={filter} />
      </div>
      <div
        role="rowgroup"
        class={isPrinting ? 'printed' : 'rows'}
        ref={body}
        style={isPrinting ? {} : { height: `${String(virtual.getTotalSize())}px` }}
      >
        {items.map(({ index, start }) => {
          const one = cases[index];
          if (one === undefined) return null;
          return (
            <div
              key={one.number}
              ref={isPrinting ? null : virtual.measureElement}
              data-index={index}
              class="row-place"
              style={
                isPrinting
                  ? {}
                  : { transform: `translateY(${String(start - virtual.options.scrollMargin)}px)` }
              }
            >
              <Row
                one={one}
                index={index}
                columns={columns}
                template={template}
                isOpen={opened.has(one.number)}
                toggle={() => toggle(one.number)}
              />
            </div>
          );
        })}
      </div>
      {isPrinting && cases.length > PRINTED && <p>… and {cases.length - PRINTED} more.</p>}
    </div>
  );
}

type HeadRowProps = { columns: readonly Column[]; template: string; filter: Filter };

function HeadRow({ columns, template, filter }: HeadRowProps): VNode {
  return (
    <div class="row head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
      <Head label="Status" sort="status" filter={filter} />
      <Head label="Name" sort="name" filter={filter} />
      {columns.map(({ id, label, sort }) => (
        <Head key={id} label={oneLine(label, 40)} sort={sort} filter={filter} />
      ))}
    </div>
  );
}

function Head({ label, sort, filter }: { label: string; sort?: Sort | undefined; filter: Filter }): VNode {
  if (sort === undefined) return <div role="columnheader">{label}</div>;
  const isSorted = filter.sort === sort;
  const direction = filter.isDescending ? 'descending' : 'ascending';
  const next = isSorted ? (filter.isDescending ? undefined : `-${sort}`) : sort;
  return (
    <div role="columnheader" aria-sort={isSorted ? direction : 'none'}>
      <button type="button" class="quiet" onClick={() => setQuery({ sort: next })}>
        {label} <span aria-hidden="true">{isSorted ? (filter.isDescending ? '▾' : '▴') : '⇅'}</span>
      </button>
    </div>
  );
}

type RowProps = {
  one: Case;
  index: number;
  columns: readonly Column[];
  template: string;
  isOpen: boolean;
  toggle: () => void;
};

function Row({ one, index, columns, template, isOpen, toggle }: RowProps): VNode {
  const run = useRun();
  const status = settledStatus(one.settled);
  const result = caseResult(one);
  const hasVariables = columns.some(({ id }) => id.startsWith('var.'));
  const name = hasVariables ? run.shortNameOf(one) : run.nameOf(one);
  const isShaky = status === 'passed' && result !== undefined && result.passed < result.runs;
  const { quarantined } = one.attempts[0].light;
  const why = result === undefined ? skippedText(one) : (result.error ?? '');
  return (
    <>
      <div
        class={`row ${status}`}
        role="row"
        aria-rowindex={index + 2}
        style={{ gridTemplateColumns: template }}
      >
        <div role="cell" class="status-cell">
          <button
            type="button"
            class="quiet disclose"
            aria-expanded={isOpen}
            aria-label={`Details of ${oneLine(name)}`}
            onClick={toggle}
          >
            {isOpen ? '▾' : '▸'}
          </button>
          <StatusMark status={status} isShaky={isShaky} />
        </div>
        <div role="cell" class="name">
          <a href={caseLink(run, one)}>
            <Line text={name} limit={160} />
          </a>
          {quarantined !== undefined && (
            <span class="quarantined">
              <Line text={markText(quarantined)} limit={160} />
            </span>
          )}
          {why !== '' && (
            <span class="why">
              <Line text={why} limit={200} />
            </span>
          )}
        </div>
        {columns.map(({ id, cell, label }) => (
          <div
            role="cell"
            key={id}
            class={`cell ${id.startsWith('var.') ? 'variable' : id}`}
            data-label={oneLine(label, 40)}
          >
            {cell(one)}
          </div>
        ))}
      </div>
      {isOpen && <CasePreview one={one} />}
    </>
  );
}

function skippedText({ settled }: Case): string {
  return settled.ran ? '' : (settled.skipped.message ?? settled.skipped.reason);
}

/** Follows the scrolling of the page. */
function useRows(
  cases: readonly Case[],
  body: { current: HTMLDivElement | null },
): Virtualizer<Window, HTMLDivElement> {
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const virtual = useMemo(
    () =>
      new Virtualizer<Window, HTMLDivElement>({
        count: cases.length,
        getScrollElement: () => window,
        estimateSize: () => ROW_HEIGHT,
        scrollToFn: windowScroll,
        observeElementRect: observeWindowRect,
        observeElementOffset: observeWindowOffset,
        initialOffset: () => window.scrollY,
        overscan: 12,
        onChange: () => redraw(undefined),
      }),
    [],
  );
  virtual.setOptions({
    ...virtual.options,
    count: cases.length,
    getItemKey: (index) => cases[index]?.number ?? index,
    scrollMargin: body.current?.offsetTop ?? 0,
  });
  useEffect(() => virtual._didMount(), [virtual]);
  useLayoutEffect(() => virtual._willUpdate());
  return virtual;
}

function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const begin = (): void => setPrinting(true);
    const end = (): void => setPrinting(false);
    const media = matchMedia('print');
    const change = (): void => setPrinting(media.matches);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    media.addEventListener('change', change);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
      media.removeEventListener('change', change);
    };
  }, []);
  return isPrinting;
}
