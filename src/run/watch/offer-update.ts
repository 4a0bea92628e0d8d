// Writes the answers of failed cases as their `expected`: shows what it would write, asks, and edits the files in place.

import { chmodSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../errors.ts';
import { isJudgedByExpected, toExpected } from '../../kinds/agent/expected-value.ts';
import type { ResultEvent } from '../../model/event.ts';
import { decodeText } from '../../json/text-file.ts';
import { displayPath } from '../../platform/paths.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { counted } from '../../report/text/run-words.ts';
import { oneLine, readableText } from '../../text/untrusted.ts';
import type { Locate, Located } from './edit-case/located.ts';
import { locatorFor } from './edit-case/locator.ts';
import type { FailedCase } from './memory.ts';

type UpdateOptions = {
  cwd: string;
  /** The assignments of `--map`. */
  map: readonly string[] | undefined;
  tell(text: string): void;
  /** The next key. */
  ask(): Promise<string>;
};

/** One value to write. */
type Update = { file: string; at: string; id: string; line: number; before: unknown; after: unknown };

/** A text is the reason why there is nothing to write. */
type Proposed = Update | string;

/** At most so many are shown; all are written. */
const MAX_SHOWN = 20;
const VALUE_LENGTH = 300;

/** Gives the key that ended the question; undefined if there was none. */
export async function offerUpdate(
  failed: readonly FailedCase[],
  options: UpdateOptions,
): Promise<string | undefined> {
  const { tell, ask } = options;
  if (failed.length === 0) {
    tell('No case has failed.');
    return undefined;
  }
  const proposed: Proposed[] = [];
  for (const one of failed) proposed.push(await propose(one, options));
  const updates = proposed.filter((one) => typeof one !== 'string');
  const refused = proposed.filter((one) => typeof one === 'string');
  tell(
    [...shown(updates.map(describe)), ...shown(refused.map((reason) => `not written: ${reason}`))].join('\n'),
  );
  if (updates.length === 0) return undefined;

  tell(
    `Write ${updates.length === 1 ? 'this answer' : `these ${updates.length} answers`} as "expected"? y/n`,
  );
  const key = await ask();
  if (key !== 'y') {
    if (key !== 'q') tell('Nothing is written.');
    return key;
  }
  for (const file of new Set(updates.map((update) => update.file)))
    tell(
      await writeFile(
        file,
        updates.filter((update) => update.file === file),
        options,
      ),
    );
  return key;
}

function shown(lines: readonly string[]): string[] {
  const more = lines.length - MAX_SHOWN;
  return more > 0 ? [...lines.slice(0, MAX_SHOWN), `and ${more} more`] : [...lines];
}

function describe({ at, id, before, after }: Update): string {
  const text = (value: unknown): string => oneLine(readableText(JSON.stringify(value)), VALUE_LENGTH);
  return `${at}  ${oneLine(id)}\n  - ${text(before)}\n  + ${text(after)}`;
}

/** What to write for a case, or why its answer cannot be written. */
async function propose({ source, results }: FailedCase, { cwd, map }: UpdateOptions): Promise<Proposed> {
  const [result] = results;
  if (result === undefined) return 'a case whose result is not known';
  const refuse = (reason: string): string => `${oneLine(result.id)}: ${reason}`;
  const reason = answerProblem(results);
  if (reason !== undefined) return refuse(reason);
  if (source?.type !== 'file') return refuse('the case does not stand in a case file, so change it by hand');
  if (source.stdin === true) return refuse('the case came from standard input');
  if (source.generated !== undefined)
    return refuse(`the case is made by ${source.generated}, so change that`);
  const locate = await locatorFor(source.path);
  if (typeof locate === 'string') return refuse(locate);
  const text = readText(source.path);
  if (text === undefined) return refuse('its file cannot be read as UTF-8 text');
  const located = await locate(text, { id: result.id, line: result.line ?? 1, names: namesOf(map) });
  if (typeof located === 'string') return refuse(located);
  const wrong = caseProblem(located);
  if (wrong !== undefined) return refuse(wrong);
  const before = located.value[located.name];
  const after = toExpected(result.output, located.isTextOnly === true ? '' : before);
  if (isDeepStrictEqual(before, after))
    return refuse('its answer is the expected one; something else failed');
  const line = result.line ?? 1;
  return {
    file: source.path,
    at: `${displayPath(source.path, cwd)}:${line}`,
    id: result.id,
    line,
    before,
    after,
  };
}

/** Why the answers of a case cannot be what is expected. */
function answerProblem(results: readonly ResultEvent[]): string | undefined {
  const [first] = results;
  if (first?.expected === undefined) return 'the case has no "expected"';
  if (results.some(({ status, output }) => status !== 'failed' && (output ?? null) === null))
    return 'it has no answer, because it did not come to an end';
  if (results.some(({ output }) => !isDeepStrictEqual(output, first.output)))
    return 'its runs have different answers';
  if ((first.output ?? null) === null) return 'it has no answer';
  if (JSON.stringify(first.output).includes('***'))
    return 'its answer has a secret, which the log does not hold';
  return undefined;
}

/** Why `expected` of a case is not simply the answer. */
function caseProblem({ value, name }: Located): string | undefined {
  if (value['each'] !== undefined) return 'the case stands for several rows ("each"), so change it by hand';
  if (JSON.stringify(value[name]).includes('{{')) return 'its "expected" has a {{variable}}';
  if (value['transform'] !== undefined) return 'its answer is transformed before it is judged';
  return isJudgedByExpected(value['assert']) ? undefined : 'no assertion of the case uses its "expected"';
}

/** Writes the values of one file; gives the words about it. Nothing is written if one of them is not safe. */
async function writeFile(file: string, updates: readonly Update[], options: UpdateOptions): Promise<string> {
  const name = displayPath(file, options.cwd);
  const names = namesOf(options.map);
  try {
    const locate = (await locatorFor(file)) as Locate;
    const before = readText(file) ?? '';
    const edits: { start: number; end: number; text: string }[] = [];
    for (const { id, line, before: expected, after } of updates) {
      const located = await locate(before, { id, line, names });
      if (typeof located === 'string' || !isDeepStrictEqual(located.value[located.name], expected))
        return `${name} has changed meanwhile; nothing is written.`;
      edits.push({ start: located.start, end: located.end, text: located.write(after) });
    }
    const after = edits
      .sort((a, b) => b.start - a.start)
      .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), before);
    for (const update of updates) {
      // New text may have more lines than the old one.
      const located = await locate(after, { id: update.id, line: lineAfter(update, edits, before), names });
      if (typeof located === 'string' || !isDeepStrictEqual(located.value[located.name], update.after))
        return `${name}: the answer of ${oneLine(update.id)} cannot be written in this format; nothing is written.`;
    }
    const path = realpathSync(file);
    const { mode } = statSync(path);
    replaceFile(path, (temporary) => {
      writeFileSync(temporary, after);
      chmodSync(temporary, mode);
    });
    return `${name}: ${counted(updates.length, 'answer')} written.`;
  } catch (error) {
    return `${name} cannot be written: ${messageOf(error)}`;
  }
}

/** The line of a case after the edits above it. */
function lineAfter(
  { line }: Update,
  edits: readonly { start: number; end: number; text: string }[],
  before: string,
): number {
  const breaks = (text: string): number => text.split('\n').length - 1;
  return edits
    .filter(({ start }) => breaks(before.slice(0, start)) + 1 < line)
    .reduce((sum, edit) => sum + breaks(edit.text) - breaks(before.slice(edit.start, edit.end)), line);
}

function namesOf(map: readonly string[] = []): string[] {
  const renamed = map
    .filter((one) => one.endsWith('=expected'))
    .map((one) => one.slice(0, -'=expected'.length).trim());
  return [...renamed, 'expected'];
}

function readText(file: string): string | undefined {
  try {
    const bytes = readFileSync(file);
    const mark = bytes.toString('utf8', 0, 3) === '\uFEFF' ? '\uFEFF' : '';
    return mark + decodeText(bytes, file);
  } catch {
    return undefined;
  }
}
