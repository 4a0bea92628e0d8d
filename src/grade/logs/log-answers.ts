// A run log in, its recorded answers out, found by the key of an attempt.

import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { ConfigError } from '../../errors.ts';
import { readLineBlocks } from '../../json/line-blocks.ts';
import { parseJson } from '../../json/parse-json.ts';
import { checkLog, readStart } from '../../log/reader.ts';
import { refuseHeldLog } from '../../log/writer.ts';
import type { ResultEvent, StartEvent } from '../../model/event.ts';
import type { Place } from './log-index.ts';
import { LogIndex } from './log-index.ts';

const LONGEST_LINE = 256 * 1024 * 1024;

/** The results of a log. Only their places are in memory. */
export type LogAnswers = {
  path: string;
  start: StartEvent;
  index: LogIndex;
  /** The tests of its agents, and the largest number of a run. */
  tests: ReadonlySet<string>;
  mostRuns: number;
  /** Results that are not answers of an agent. */
  others: number;
  result(key: string): Promise<ResultEvent | undefined>;
  read(place: Place): Promise<ResultEvent>;
  close(): Promise<void>;
};

/** Reads a log once as a whole; throws ConfigError if something is wrong with it. */
export async function openLogAnswers(path: string): Promise<LogAnswers> {
  await refuseHeldLog(path);
  await checkLog(path);
  const start = await readStart(path);
  const index = new LogIndex();
  const tests = new Set<string>();
  let mostRuns = 1;
  let others = 0;
  for await (const { event, place } of results(path)) {
    // A fresh run of a suspect does not count for its case.
    if (event.uncounted === 'confirm') continue;
    if (event.kind !== 'agent-eval') {
      others += 1;
      continue;
    }
    tests.add(event.test_id);
    mostRuns = Math.max(mostRuns, event.run);
    index.set(event.key, place);
  }
  if (index.size === 0) throw nothingRecorded(path, others);

  const handle = await open(path, 'r');
  const read = (place: Place): Promise<ResultEvent> => readResult(handle, place, path);
  return {
    path,
    start,
    index,
    tests,
    mostRuns,
    others,
    read,
    async result(key) {
      const place = index.get(key);
      return place === undefined ? undefined : read(place);
    },
    close: () => handle.close(),
  };
}

function nothingRecorded(path: string, others: number): ConfigError {
  return others === 0
    ? new ConfigError('the log has no results, so there is nothing to grade', { at: path })
    : new ConfigError('the log has only script and skill tests, which have no answers to grade', {
        at: path,
        hint: 'run them again: assay test -i scripts.… or skills.…',
      });
}

async function readResult(handle: FileHandle, { offset, length }: Place, path: string): Promise<ResultEvent> {
  const bytes = Buffer.allocUnsafe(length);
  await handle.read(bytes, 0, length, offset);
  const parsed = parseJson(bytes.toString());
  if (parsed === undefined) throw new Error(`${path} has changed while it was graded`);
  // The log was checked as a whole.
  return parsed.value as ResultEvent;
}

/** The results of a log with the places of their lines. */
async function* results(path: string): AsyncGenerator<{ event: ResultEvent; place: Place }> {
  for await (const { bytes, end, unterminated } of readLineBlocks(path, { maxLineBytes: LONGEST_LINE })) {
    if (unterminated) return;
    const first = end - bytes.length;
    for (let from = 0; from < bytes.length;) {
      const to = bytes.indexOf(10, from);
      const line = bytes.subarray(from, to);
      const event = parseJson(line.toString())?.value as ResultEvent | undefined;
      if (event?.type === 'result') yield { event, place: { offset: first + from, length: to - from } };
      from = to + 1;
    }
  }
}
