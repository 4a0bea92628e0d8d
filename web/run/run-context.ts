// The context shared by all pages about one run.

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
  /** Increases when results arrive. */
  version: number;
  /** The prefix of all addresses of this run. */
  base: string[];
  isLive: boolean;
  nameOf(one: Case): string;
  /** The same without the values of a matrix, for places that show these separately. */
  shortNameOf(one: Case): string;
};

export const RunContext = createContext<RunContextValue | undefined>(undefined);

export function useRun(): RunContextValue {
  const value = useContext(RunContext);
  if (value === undefined) throw new Error('there is no run here');
  return value;
}

export function createNamer(start: Pick<StartEvent, 'inputs' | 'matrix'>): (one: Case) => string {
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
