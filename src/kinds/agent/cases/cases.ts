// A case file is read twice: once to check it whole, once to run it. Neither pass keeps the cases.

import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Problem } from '../../../errors.ts';
import { messageOf, RuntimeError } from '../../../errors.ts';
import type { CaseInput, LoadedCase, TestCase } from '../../../model/case.ts';
import type { ParsedObject } from '../../../json/jsonl.ts';
import { readObjects } from '../../../json/jsonl.ts';
import { displayPath } from '../../../platform/paths.ts';
import type { CaseProblem } from './case.ts';
import { statsOf } from '../../../platform/file-stats.ts';
import { checkCase } from './case.ts';
import { isRunStart, isTextLine } from '../../../log/is-run-log.ts';
import { createIdSet } from '../../../platform/id-set.ts';
import type { CaseSource } from '../source.ts';
import type { SourceVariables } from '../../test-binding.ts';
import { fillCase } from '../../test-binding.ts';
import type { ProblemList } from './problem-list.ts';
import { createProblemList } from './problem-list.ts';
import { quoted } from './quoted.ts';
import type { CaseReferences } from './references.ts';
import { addReferences, createFileCheck, createReferences } from './references.ts';

/** The id of the one case that a message is. */
const MESSAGE_ID = 'message';
const NO_CASES = 'cases are JSON objects, one a line; to send a message use -i "…"';

export type CheckOptions = {
  /** The application root that files must stay inside. */
  root: string;
  /** The folder that problems name files relative to. */
  cwd: string;
  select?: ((testCase: TestCase) => boolean) | undefined;
  /** The values of `{{Name}}`. */
  variables?: SourceVariables | undefined;
};

/** The result of the first pass over an input. */
export type CheckedInput = {
  total: number;
  selected: number;
  /** Of the bytes. */
  sha256: string;
  problems: Problem[];
  references: CaseReferences;
};

const NONE: readonly CaseProblem[] = [];

type Twin = { id: string; line: number; firstLine: number };

/** More twins than this are counted without a second look at their ids. */
const MAX_TWINS = 1000;

/** Checks an input whole and counts its cases; nothing is thrown for what a user can fix. */
export async function checkInput(source: CaseSource, options: CheckOptions): Promise<CheckedInput> {
  if (source.type === 'message') return checkMessage(source.message, options);
  const { variables } = options;
  const name = inputName(source, options.cwd);
  const hash = createHash('sha256');
  const problems = createProblemList(name);
  const files = createFileCheck({ base: baseOf(source, options.cwd), root: options.root });
  const references = createReferences();
  const ids = createIdSet();
  const twins: Twin[] = [];
  let total = 0;
  let objects = 0;
  let selected = 0;

  try {
    for await (const batch of objectsOf(source, (bytes) => hash.update(bytes))) {
      for (const parsed of batch) {
        objects++;
        if ('problem' in parsed) {
          const isText = objects === 1 && isTextLine(source.path, parsed.line);
          problems.add(parsed.line, { message: parsed.problem, ...(isText && { hint: NO_CASES }) });
          continue;
        }
        const { value, line } = parsed;
        if (objects === 1 && isRunStart(value)) return failed(hash.digest('hex'), runLogProblem(name, line));
        const filled = variables === undefined ? undefined : fillCase(value, variables);
        for (const problem of filled?.problems ?? NONE) problems.add(line, problem);
        const checked = checkCase(filled === undefined ? value : filled.value, options);
        total++;
        const id = idOf(value);
        const firstLine = id === undefined ? undefined : ids.add(id, line);
        if (id !== undefined && firstLine !== undefined) addTwin(twins, { id, line, firstLine }, problems);
        if ('problems' in checked) {
          for (const problem of checked.problems) problems.add(line, problem);
          continue;
        }
        for (const input of inputsOf(checked.case)) {
          for (const message of files.check(input)) problems.add(line, { message });
        }
        addReferences(references, checked.case, line);
        if (options.select === undefined || options.select(checked.case)) selected++;
      }
    }
    await nameTwins(source, twins, problems);
  } catch (error) {
    if (!isFileError(error)) throw error;
    return failed('', { message: `cannot be read: ${messageOf(error)}`, at: name });
  }
  const found = problems.toProblems();
  if (objects === 0) found.push({ message: 'no cases: the file is empty or holds only comments', at: name });
  return { total, selected, sha256: hash.digest('hex'), problems: found, references };
}

/** Reads the `total` cases that an input had when it was checked, in batches; what was added since is left alone. */
export async function* readCases(
  source: CaseSource & { variables?: SourceVariables },
  {
    index,
    test_id,
    total,
    stamp,
  }: { index: number; test_id: string; total: number; stamp?: string | undefined },
): AsyncGenerator<LoadedCase[]> {
  const { variables } = source;
  if (source.type === 'file' && stamp !== undefined && stamp !== stampOf(source))
    throw changed(source.path, 'it is another file now');
  if (source.type === 'message') {
    const { input } = fillCase(messageCase(source.message), variables).value as TestCase;
    // A message is text, whatever it consists of.
    const message = typeof input === 'string' ? input : JSON.stringify(input);
    yield [{ case: messageCase(message), test_id, input: index, line: 1 }];
    return;
  }
  let left = total;
  for await (const batch of objectsOf(source)) {
    const checked = batch.length > left ? batch.slice(0, left) : batch;
    left -= checked.length;
    yield checked.map((parsed) => {
      if ('problem' in parsed) throw changed(source.path, `line ${parsed.line}: ${parsed.problem}`);
      if (idOf(parsed.value) === undefined) throw changed(source.path, `line ${parsed.line}: no case`);
      // The first pass checked it.
      const filled = variables === undefined ? parsed.value : filledAgain(parsed.value, source, variables);
      return { case: withInput(filled as TestCase), test_id, input: index, line: parsed.line };
    });
    if (left === 0) return;
  }
  if (left > 0) throw changed(source.path, `${left} of ${total} cases are gone`);
}

/** Tells whether a file was written since it was checked: one that is read once for each combination may be read late. */
export function stampOf({ path: file }: { path: string }): string {
  const stats = statsOf(file);
  return `${String(stats?.ino)} ${String(stats?.size)} ${String(stats?.mtimeMs)}`;
}

/** The first pass has found nothing wrong, so it is another case now. */
function filledAgain(value: unknown, source: { path: string }, variables: SourceVariables): unknown {
  const { value: filled, problems } = fillCase(value, variables);
  const [first] = problems;
  if (first !== undefined) throw changed(source.path, first.message);
  return filled;
}

/** The cases of a file as they stand there; those of a definition are known already. */
function objectsOf(
  source: Exclude<CaseSource, { type: 'message' }>,
  onBytes?: (bytes: Buffer) => void,
): AsyncIterable<ParsedObject[]> {
  if (source.type === 'file') return readObjects(source.path, onBytes === undefined ? {} : { onBytes });
  onBytes?.(Buffer.from(JSON.stringify(source.cases)));
  return definedCases(source);
}

async function* definedCases({
  cases,
  lines,
}: {
  cases: unknown[];
  lines: number[];
}): AsyncGenerator<ParsedObject[]> {
  yield cases.map((value, index) => ({ value, line: lines[index] ?? 1 }));
}

/** Turns that say everything leave no input; the rest of the program relies on one. */
function withInput(testCase: Partial<TestCase> & { id: string }): TestCase {
  // No copy for the many that have one; the first pass has checked that the others have turns.
  return testCase.input === undefined ? { ...testCase, input: [] } : (testCase as TestCase);
}

function inputsOf({ input, turns }: Partial<TestCase>): CaseInput[] {
  const inputs = input === undefined ? [] : [input];
  return turns === undefined ? inputs : [...inputs, ...turns.map((turn) => turn.input)];
}

/** The folder that `file://` sources of an input start from. */
export function baseOf(source: CaseSource, cwd: string): string {
  if (source.type === 'cases') return path.dirname(source.path);
  const isOwn = source.type === 'file' && source.stdin !== true && source.generated === undefined;
  return isOwn ? path.dirname(source.path) : cwd;
}

/** How people know an input. */
export function inputName(source: CaseSource, cwd: string): string {
  if (source.type === 'message') return 'the message';
  if (source.type === 'cases') return displayPath(source.path, cwd);
  return source.stdin === true ? 'stdin' : (source.generated ?? displayPath(source.path, cwd));
}

function messageCase(message: string): TestCase {
  return { id: MESSAGE_ID, input: message };
}

function checkMessage(message: string, { select }: CheckOptions): CheckedInput {
  const selected = select === undefined || select(messageCase(message)) ? 1 : 0;
  const sha256 = createHash('sha256').update(message).digest('hex');
  const references = createReferences();
  addReferences(references, messageCase(message), 1);
  return { total: 1, selected, sha256, problems: [], references };
}

function idOf(value: unknown): string | undefined {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function addTwin(twins: Twin[], twin: Twin, problems: ProblemList): void {
  if (twins.length < MAX_TWINS) twins.push(twin);
  else problems.addUnnamed(1);
}

/** Looks at the ids of the first lines again: an equal hash is no proof. */
async function nameTwins(
  source: Exclude<CaseSource, { type: 'message' }>,
  twins: readonly Twin[],
  problems: ProblemList,
): Promise<void> {
  if (twins.length === 0) return;
  const wanted = new Set(twins.map((twin) => twin.firstLine));
  const ids = new Map<number, string | undefined>();
  for await (const batch of objectsOf(source)) {
    for (const parsed of batch) {
      if ('value' in parsed && wanted.has(parsed.line)) ids.set(parsed.line, idOf(parsed.value));
    }
    if (ids.size === wanted.size) break;
  }
  for (const { id, line, firstLine } of twins) {
    if (ids.get(firstLine) !== id) continue;
    problems.add(line, { message: `duplicate id ${quoted(id)}, first used on line ${firstLine}` });
  }
}

function runLogProblem(name: string, line: number): Problem {
  const hint = `to look at it: assay report ${name}`;
  return { message: 'this is the log of a run, not a case file', at: `${name}:${line}`, hint };
}

function failed(sha256: string, problem: Problem): CheckedInput {
  return { total: 0, selected: 0, sha256, problems: [problem], references: createReferences() };
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function changed(file: string, what: string): RuntimeError {
  return new RuntimeError(`${file} changed during the run (${what})`, {
    hint: 'the results so far are in the log; run it again',
  });
}
