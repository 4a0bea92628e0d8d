// `assay flaky`: cases whose outcomes differ although nothing changed.

import type { FlagsOf } from '../../application/options/options.ts';
import { withStore } from '../../history/store/application-store.ts';
import type { FlakyCase } from '../../history/store/store.ts';
import { EXIT } from '../../model/exit-code.ts';
import type { Io } from '../../run/io.ts';
import { oneLine } from '../../text/untrusted.ts';

export async function flakyCommand(flags: FlagsOf<'flaky'>, io: Io): Promise<number> {
  return withStore(flags, io, async (store) => {
    const found = await store.flakyCases();
    const { cases, is_complete } = found;
    if (flags.json === true) io.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
    else io.stdout.write(cases.length === 0 ? NONE : cases.map(lineOf).join(''));
    if (!is_complete)
      io.stderr.write('Very many cases have flipped; only the first 1000 of them were looked at.\n');
    return EXIT.passed;
  });
}

const NONE =
  'No case is flaky: none has flipped often enough in its newest runs with the same agent and judges.\n';

function lineOf({
  kind,
  test_id,
  case_id,
  variables,
  passed,
  runs,
  flip_rate,
  passes_now,
}: FlakyCase): string {
  const values = variables === null ? '' : ` ${JSON.stringify(variables)}`;
  const fact =
    kind === 'flaky'
      ? `two runs disagree in ${String(Math.round(flip_rate * 100))} of 100`
      : `flipped once, ${passes_now ? 'passes' : 'fails'} since`;
  return (
    oneLine(
      `${kind.padEnd(7)}  ${test_id} › ${case_id}${values}  ${String(passed)}/${String(runs)} passed, ${fact}`,
    ) + '\n'
  );
}
