// What all pages about one run share.

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { StartEvent } from '../../src/model/event.ts';
import { caseNamer } from '../../src/report/text/case-text.ts';
import type { Figures } from '../data/figures.ts';
import type { Case, RunData } from '../data/run-data.ts';
import { link } from '../route.ts';

export type RunContextValue = {
  data: RunData;
  start: StartEvent;
  figures: Figures;
  /** Counts up whenever results have come. */
  version: number;
  /** What stands before the addresses of this run. */
  base: string[];
  isLive: boolean;
  nameOf(one: Case): string;
  /** The same without the values of a matrix, where these are shown beside it. */
  shortNameOf(one: Case): string;
};

export const RunContext = createContext<RunContextValue | undefined>(undefined);

export function useRun(): RunContextValue {
  const value = useContext(RunContext);
  if (value === undefined) throw new Error('there is no run here');
  return value;
}

export function namerOf(start: Pick<StartEvent, 'inputs' | 'matrix'>): (one: Case) => string {
  const nameOf = caseNamer(start);
  return ({ attempts: [{ light }] }) => nameOf(light);
}

export function caseLink(
  { base }: Pick<RunContextValue, 'base'>,
  one: Case,
  query: Record<string, string> = {},
): string {
  return link([...base, 'case', one.number], query);
}

export function resultsLink(
  { base }: Pick<RunContextValue, 'base'>,
  query: Record<string, string> = {},
): string {
  return link([...base, 'results'], query);
}
