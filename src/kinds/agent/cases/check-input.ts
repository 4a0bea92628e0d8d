// The first pass over an input: everything that is wrong with it, and what its cases name.

import { createHash } from 'node:crypto';
import type { Problem } from '../../../errors.ts';
import { ConfigError, messageOf } from '../../../errors.ts';
import type { CaseInput, TestCase } from '../../../model/case.ts';
import { isObject } from '../../../json/is-object.ts';
import type { ParsedObject } from '../../../json/jsonl.ts';
import { isRunStart, isTextLine } from '../../../log/is-run-log.ts';
import { createIdSet } from '../../../platform/id-set.ts';
import type { CaseSource } from '../source.ts';
import type { CaseProblem } from './case.ts';
import { caseId, checkCase, messageCase } from './case.ts';
import type { ReadPlace } from './objects.ts';
import { baseOf, hasFormat, inputName, objectsOf } from './objects.ts';
import type { ProblemList } from './problem-list.ts';
import { createProblemList } from './problem-list.ts';
import { quoted } from './quoted.ts';
import type { CaseReferences, FileCheck } from './references.ts';
import { addReferences, createFileCheck, createReferences } from './references.ts';
import type { FillOptions } from './vars.ts';
import { fillVariables, needsFilling } from './vars.ts';
import { programName } from '../../../platform/how-started.ts';

export type CheckOptions = ReadPlace &
  FillOptions & {
    /** The application root that files must stay inside. */
    root: string;
    select?: ((testCase: TestCase) => boolean) | undefined;
    /** Gets every case as it stands in the file. */
    onCase?: ((value: unknown) => void) | undefined;
    /** A case without an input is fine: the question was recorded together with the answer. */
    isInputOptional?: boolean;
  };

/** The result of the first pass over an input. */
export type CheckedInput = {
  total: number;
  selected: number;
  /** Of the bytes. */
  sha256: string;
  problems: Problem[];
  /** By the agent that cases name; those that name none are under `undefined`. */
  references: Map<string | undefined, CaseReferences>;
  /** Files that `each` names. */
  files: string[];
  /** The names that cases declare as `vars`. */
  declared: Set<string>;
  /** The cases of a small file, so that it need not be read again. */
  kept?: ParsedObject[][] | undefined;
};

const NO_CASES = 'cases are JSON objects, one a line; to send a message use -i "…"';

/** A file up to this size keeps its cases: they take about ten times as much memory. */
const KEPT_BYTES = 2 * 1024 * 1024;

/** Checks an input whole and counts its cases; nothing is thrown for what a user can fix. */
export async function checkInput(source: CaseSource, options: CheckOptions): Promise<CheckedInput> {
  if (source.type === 'message') return checkMessage(source.message, options);
  const name = inputName(source, options.cwd);
  const hash = createHash('sha256');
  const files = new Set<string>();
  let size = 0;
  const onBytes = (bytes: Buffer): void => {
    hash.update(bytes);
    size += bytes.length;
  };
  const onFile = (file: string): void => void files.add(file);
  // The cases of each combination of a matrix are filled in anew.
  let kept: ParsedObject[][] | undefined = options.variables === undefined ? [] : undefined;

  const check = new InputCheck(source, options);
  try {
    for await (const batch of objectsOf(source, { ...options, onBytes, onFile })) {
      kept = size > KEPT_BYTES ? undefined : kept;
      kept?.push(batch);
      for (const parsed of batch) {
        if (check.objects === 0 && 'value' in parsed && isRunStart(parsed.value))
          return failed(hash.digest('hex'), runLogProblem(name, parsed.line));
        check.take(parsed);
      }
    }
    await check.nameTwins();
  } catch (error) {
    if (error instanceof ConfigError) return failed('', ...error.problems);
    if (!isFileError(error)) throw error;
    return failed('', { message: `cannot be read: ${messageOf(error)}`, at: name });
  }
  return { ...check.result(), sha256: hash.digest('hex'), files: [...files], kept };
}

const NONE: readonly CaseProblem[] = [];

type Twin = { id: string; line: number; firstLine: number };

/** More twins than this are counted without a second look at their ids. */
const MAX_TWINS = 1000;

/** The check of one input under way. A million cases go through it. */
class InputCheck {
  objects = 0;
  readonly #source: Exclude<CaseSource, { type: 'message' }>;
  readonly #options: CheckOptions;
  readonly #name: string;
  readonly #problems: ProblemList;
  readonly #files: FileCheck;
  readonly #references = new Map<string | undefined, CaseReferences>();
  readonly #declared = new Set<string>();
  readonly #ids = createIdSet();
  readonly #twins: Twin[] = [];
  #total = 0;
  #selected = 0;

  constructor(source: Exclude<CaseSource, { type: 'message' }>, options: CheckOptions) {
    const { cwd, root } = options;
    this.#source = source;
    this.#options = options;
    this.#name = inputName(source, cwd);
    this.#problems = createProblemList(this.#name);
    this.#files = createFileCheck({ base: baseOf(source, cwd), root });
  }

  take(parsed: ParsedObject): void {
    this.objects += 1;
    const { line } = parsed;
    if ('problem' in parsed) {
      const isText =
        this.objects === 1 && !hasFormat(this.#source.path) && isTextLine(this.#source.path, line);
      this.#problems.add(line, { message: parsed.problem, ...(isText && { hint: NO_CASES }) });
      return;
    }
    const { value, row } = parsed;
    const options = this.#options;
    options.onCase?.(value);
    const filled = needsFilling(value, options) ? fillVariables(value, options) : undefined;
    for (const problem of filled?.problems ?? NONE) this.#problems.add(line, inRow(problem, row));
    const checked = checkCase(this.#withInput(filled === undefined ? value : filled.value), options);
    this.#total += 1;
    this.#takeId(caseId(value), line);
    if ('case' in checked) this.#takeCase(checked.case, line);
    else for (const problem of checked.problems) this.#problems.add(line, inRow(problem, row));
  }

  #withInput(value: unknown): unknown {
    if (this.#options.isInputOptional !== true || !isObject(value)) return value;
    return (value['input'] ?? value['turns']) === undefined ? { ...value, input: '' } : value;
  }

  #takeCase(testCase: TestCase, line: number): void {
    for (const input of inputsOf(testCase)) {
      for (const message of this.#files.check(input)) this.#problems.add(line, { message });
    }
    addReferences(this.#referencesFor(testCase.agent), testCase, line);
    for (const name in testCase.vars) this.#declared.add(name);
    const { select } = this.#options;
    if (select === undefined || select(testCase)) this.#selected += 1;
  }

  #referencesFor(agent: string | undefined): CaseReferences {
    const known = this.#references.get(agent);
    if (known !== undefined) return known;
    const references = createReferences();
    this.#references.set(agent, references);
    return references;
  }

  #takeId(id: string | undefined, line: number): void {
    const firstLine = id === undefined ? undefined : this.#ids.add(id, line);
    if (id === undefined || firstLine === undefined) return;
    if (this.#twins.length < MAX_TWINS) this.#twins.push({ id, line, firstLine });
    else this.#problems.addUnnamed(1);
  }

  /** Looks at the ids of the first lines again: an equal hash is no proof. */
  async nameTwins(): Promise<void> {
    if (this.#twins.length === 0) return;
    const wanted = new Set(this.#twins.map((twin) => twin.firstLine));
    // Rows of `each` share a line.
    const ids = new Set<string>();
    for await (const batch of objectsOf(this.#source, this.#options)) {
      for (const parsed of batch) {
        if ('value' in parsed && wanted.has(parsed.line))
          ids.add(`${parsed.line} ${caseId(parsed.value) ?? ''}`);
      }
    }
    for (const { id, line, firstLine } of this.#twins) {
      if (!ids.has(`${firstLine} ${id}`)) continue;
      this.#problems.add(line, { message: `duplicate id ${quoted(id)}, first used on line ${firstLine}` });
    }
  }

  result(): Omit<CheckedInput, 'files' | 'kept' | 'sha256'> {
    const problems = this.#problems.toProblems();
    if (this.objects === 0)
      problems.push({ message: 'no cases: the file is empty or holds only comments', at: this.#name });
    const [total, selected] = [this.#total, this.#selected];
    return { total, selected, problems, references: this.#references, declared: this.#declared };
  }
}

function inRow(problem: CaseProblem, row: number | undefined): CaseProblem {
  return row === undefined ? problem : { ...problem, message: `row ${row}: ${problem.message}` };
}

function inputsOf({ input, turns }: Partial<TestCase>): CaseInput[] {
  const inputs = input === undefined ? [] : [input];
  return turns === undefined ? inputs : [...inputs, ...turns.map((turn) => turn.input)];
}

function checkMessage(message: string, { select, onCase }: CheckOptions): CheckedInput {
  onCase?.(message);
  const selected = select === undefined || select(messageCase(message)) ? 1 : 0;
  const sha256 = createHash('sha256').update(message).digest('hex');
  const references = createReferences();
  addReferences(references, messageCase(message), 1);
  const all = new Map([[undefined, references]]);
  return { total: 1, selected, sha256, problems: [], references: all, files: [], declared: new Set() };
}

function runLogProblem(name: string, line: number): Problem {
  const hint = `to look at it: ${programName()} report ${name}`;
  return { message: 'this is the log of a run, not a case file', at: `${name}:${line}`, hint };
}

function failed(sha256: string, ...problems: Problem[]): CheckedInput {
  return { total: 0, selected: 0, sha256, problems, references: new Map(), files: [], declared: new Set() };
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
