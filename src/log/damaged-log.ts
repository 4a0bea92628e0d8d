// Lists what is wrong with the lines of a log.

import type { Problem } from '../errors.ts';
import { ConfigError } from '../errors.ts';
import { readLineBlocks } from '../json/line-blocks.ts';
import { parseJson } from '../json/parse-json.ts';
import { describeFlaws } from '../schema/problems.ts';
import type { Flaw } from '../schema/shape.ts';
import { groupDigits } from '../text/group-digits.ts';
import { lineCheck } from './check-line.ts';
import { beginsRunLog, readHead } from './is-run-log.ts';
import { reportProblem } from './problems.ts';

/** A line is not JSON: the file is not a log, or the log is damaged. */
export async function brokenLine(path: string, problem: ConfigError): Promise<ConfigError> {
  const head = readHead(path);
  if (/^(?:\uFFFD\uFFFD)?(?:.\0|\0.)/.test(head))
    return new ConfigError('the file is UTF-16: save it as UTF-8', { at: `${path}:1` });
  if (!beginsRunLog(head)) return reportProblem(path, head) ?? problem;
  return damagedLog(path);
}

/** More problems are only counted. */
const MOST_PROBLEMS = 10;
const LONGEST_LINE = 256 * 1024 * 1024;
const HINT = 'the run log is damaged here; remove the line to use the rest of it';
const START_HINT = 'the run log is damaged; without a whole start line it cannot be used';

/** Everything that is wrong with the lines of a log, found in one reading. */
export async function damagedLog(path: string): Promise<ConfigError> {
  const check = lineCheck(path);
  const problems: Problem[] = [];
  let count = 0;
  for await (const { text, number, isLast } of numberedLines(path)) {
    const parsed = parseJson(text);
    // The last line may be torn.
    if (parsed === undefined && isLast) break;
    const found: readonly Flaw[] =
      parsed === undefined
        ? [{ type: 'note', path: [], message: 'the line is not JSON' }]
        : check(parsed.value, text);
    if (found.length === 0) continue;
    count += 1;
    if (problems.length >= MOST_PROBLEMS) continue;
    const at = (): string => `${path}:${String(number)}`;
    const told = describeFlaws(found.slice(0, MOST_PROBLEMS), { wrong: 'must be', whole: 'the line', at });
    for (const problem of told) problems.push({ ...problem, hint: number === 1 ? START_HINT : HINT });
  }
  const shown = problems.slice(0, MOST_PROBLEMS);
  const others = count - new Set(shown.map(({ at }) => at)).size;
  if (others > 0) shown.push({ message: `${groupDigits(others)} more lines of ${path} are damaged` });
  return ConfigError.of(shown);
}

/** The lines of a file that are not blank, with their numbers. */
async function* numberedLines(
  path: string,
): AsyncGenerator<{ text: string; number: number; isLast: boolean }> {
  let last: { text: string; number: number } | undefined;
  let number = 0;
  for await (const { kind, bytes, unterminated } of readLineBlocks(path, { maxLineBytes: LONGEST_LINE })) {
    const text = bytes.toString();
    for (const line of text.slice(0, unterminated ? text.length : -1).split('\n')) {
      number += 1;
      if (line.trim() === '') continue;
      if (last !== undefined) yield { ...last, isLast: false };
      // Of a line that is too long, only the beginning is known: it is not JSON.
      const content = kind === 'long' ? '{' : line;
      last = { text: number === 1 ? content.replace(/^\uFEFF/, '') : content, number };
    }
  }
  if (last !== undefined) yield { ...last, isLast: true };
}
