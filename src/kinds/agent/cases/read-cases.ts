// The second pass over an input: its cases, ready to run. Only those of a small file were kept from the first pass.

import { RuntimeError } from '../../../errors.ts';
import type { LoadedCase, TestCase } from '../../../model/case.ts';
import { statsOf } from '../../../platform/file-stats.ts';
import { fillCase } from '../../test-binding.ts';
import type { CaseSource } from '../source.ts';
import { caseId, messageCase } from './case.ts';
import type { CheckedInput } from './check-input.ts';
import type { ReadPlace } from './objects.ts';
import { objectsOf } from './objects.ts';
import type { FillOptions } from './vars.ts';
import { fillVariables, needsFilling } from './vars.ts';

type ReadOptions = Pick<CheckedInput, 'kept' | 'total'> &
  ReadPlace & {
    /** Of the input in the run. */
    index: number;
    test_id: string;
    stamp?: string | undefined;
  };

/** Reads the `total` cases that an input had when it was checked, in batches; what was added since is left alone. */
export async function* readCases(
  source: CaseSource & FillOptions,
  { index, test_id, total, stamp, kept, ...place }: ReadOptions,
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
  for await (const batch of kept ?? objectsOf(source, place)) {
    const checked = batch.length > left ? batch.slice(0, left) : batch;
    left -= checked.length;
    yield checked.map((parsed) => {
      if ('problem' in parsed) throw changed(source.path, `line ${parsed.line}: ${parsed.problem}`);
      if (caseId(parsed.value) === undefined) throw changed(source.path, `line ${parsed.line}: no case`);
      // The first pass checked it.
      const filled = needsFilling(parsed.value, source) ? filledAgain(parsed.value, source) : parsed.value;
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
function filledAgain(value: unknown, source: { path: string } & FillOptions): unknown {
  const { value: filled, problems } = fillVariables(value, source);
  const [first] = problems;
  if (first !== undefined) throw changed(source.path, first.message);
  return filled;
}

/** Turns that say everything leave no input; the rest of the program relies on one. */
function withInput(testCase: Partial<TestCase> & { id: string }): TestCase {
  // No copy for the many that have one; the first pass has checked that the others have turns.
  return testCase.input === undefined ? { ...testCase, input: [] } : (testCase as TestCase);
}

function changed(file: string, what: string): RuntimeError {
  return new RuntimeError(`${file} changed during the run (${what})`, {
    hint: 'the results so far are in the log; run it again',
  });
}
