// The interface of a kind in reports. It uses nothing of Node, because the web app uses it.

import type { LoggedInput, StartEvent } from '../../model/event.ts';
import type { Verdict } from '../../model/outcome.ts';
import type { KindId } from '../../model/subject.ts';
import type { CaseResult } from '../fold/case-result.ts';
import type { Failure } from '../fold/failures.ts';
import type { Overview } from '../fold/overview.ts';
import type { JsonFields, JsonShape } from '../formats/json-shape.ts';

export type ReportKind = {
  /** The name in logs. */
  id: KindId;
  /** The noun for the cases of a run of this kind: `3 skills`. */
  noun: string;
  /** The command that runs tests of this kind: `assay skills`. */
  verb: 'skills' | 'test';
  /** The first word of its titles: `Script Test`. */
  title: string;
  /** The subject of a run of this kind. */
  subjectName(start: Pick<StartEvent, 'agent_id' | 'inputs'>): string;
  /** An assertion that did not hold, in words. */
  failureOf(verdict: Verdict): Failure;
  /** An error of the code `agent` is an exception of the test itself. */
  throwsItself?: true;
  /** Cases have an input worth showing. */
  hasInput?: true;
  /** The id of a case says which test it belongs to. */
  hasUniqueIds?: true;
  /** Every input is a test suite of its own in JUnit. */
  hasOwnSuites?: true;
  /** The type of a failure in JUnit, if it is not the status. */
  failureType?(result: CaseResult): string | undefined;
  /** Further lines of the output in JUnit. */
  outputFacts?(result: CaseResult): string[];
  /** The shape of a JSON report about this kind only, and of an entry in a report about several; default: that of agents. */
  json?: {
    shape(overview: Overview): JsonShape;
    mixedEntries(start: StartEvent): (result: CaseResult) => JsonFields;
  };
  /** The label of an input in the header of a run, or what the header says of all inputs. */
  headerInputs: string | ((start: StartEvent) => string);
  /** The label of the number of cases in the header, and the noun for them if it is not that of the kind. */
  headerCases?: { label: string; noun?: string };
  /** Tests use the user, the team and the connector of a run; whether the header names a user and a team that nobody has set. */
  usesEnvironment?: 'always' | 'if set';
  /** The name of an input in the header of a run, and its title in the list of inputs. */
  inputName(input: LoggedInput): string;
  inputTitle(input: LoggedInput): string;
  /** Whether the results of a test come from this input; `isOnly`: the run has no other. */
  isInputOf(input: LoggedInput, testId: string, isOnly: boolean): boolean;
  /** The words after `assay` that run one case again; undefined if that is not possible. */
  rerunWords(input: LoggedInput, only: readonly string[]): string[] | undefined;
};

/** The values of `-i` that led to the inputs of a kind with names. */
export function typedNames({ inputs }: Pick<StartEvent, 'inputs'>): string {
  const typed = inputs.flatMap((input) => ('input' in input ? [input.input] : []));
  return [...new Set(typed)].join(', ');
}
