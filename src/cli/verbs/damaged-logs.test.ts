// Damaged logs: every verb that reads one works or says what is wrong and where.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { damagedLog } from '../../../test/fixtures/logs/mutate-log.ts';
import { mixedRun } from '../../../test/fixtures/logs/agent-log.ts';
import { ConfigError, messageOf } from '../../errors.ts';
import { openLog } from '../../log/reader.ts';
import { packRun } from '../../report/formats/packets.ts';
import type { Io } from '../../run/io.ts';
import { makeRequest } from '../../run/planning/request.ts';
import { compareCommand } from './compare.ts';
import { importCommand } from './history.ts';
import { reportCommand } from './report.ts';

const FIRST = Number(process.env['FUZZ_SEED'] ?? 1);
const COUNT = Number(process.env['FUZZ_COUNT'] ?? 400);
const REPORTS = ['r.json', 'r.md', 'r.csv', 'r.xml', 'r.jsonl'];

/** What a file-level message says instead of a line. */
const WHOLE_FILE = /is not a run log|was written by a newer version|is unfinished|the history/;

test(`${String(COUNT)} damaged logs give results or a problem with its place`, async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'assay-damaged-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(
    join(cwd, 'whole.jsonl'),
    mixedRun()
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(''),
  );
  const stdout = new PassThrough().resume();
  // Only these are used.
  const io = { cwd, env: {}, stdout, stderr: stdout } as unknown as Io;
  const verbs: Record<string, () => Promise<unknown>> = {
    report: () => reportCommand('run.jsonl', { output: REPORTS }, io),
    summary: () => reportCommand('run.jsonl', {}, io),
    // The page is built elsewhere; this is its data.
    html: async () => {
      for await (const packet of packRun(openLog(join(cwd, 'run.jsonl')))) expect(packet).toBeDefined();
    },
    import: () => importCommand(['run.jsonl'], { store: 'history.db' }, io),
    compare: () => compareCommand(['whole.jsonl', 'run.jsonl'], { json: true }, io),
    resume: () => makeRequest({ resume: 'run.jsonl' }, io),
    failed: () => makeRequest({ failed: 'run.jsonl' }, io),
  };
  const surprises: string[] = [];
  let refused = 0;
  for (let seed = FIRST; seed < FIRST + COUNT; seed += 1) {
    writeFileSync(join(cwd, 'run.jsonl'), damagedLog(seed));
    const ends = new Set<string>();
    for (const [name, verb] of Object.entries(verbs)) {
      const error: unknown = await verb().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      const surprise = surpriseIn(error);
      if (surprise !== undefined) surprises.push(`${String(seed)} ${name}: ${surprise}`);
      if (name !== 'resume' && name !== 'failed') ends.add(error === undefined ? 'works' : 'refused');
    }
    if (ends.size > 1) surprises.push(`${String(seed)}: the verbs do not agree`);
    if (ends.has('refused')) refused += 1;
  }
  expect(surprises.slice(0, 20)).toEqual([]);
  // The damage is neither harmless nor always the same.
  expect(refused / COUNT).toBeGreaterThan(0.3);
  expect(refused / COUNT).toBeLessThan(0.95);
}, 600_000);

function surpriseIn(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  if (!(error instanceof ConfigError))
    return (error instanceof Error ? error.stack : undefined) ?? messageOf(error);
  const isPlaced = error.problems.every(
    ({ at, message }) =>
      /run\.jsonl:\d+$/.test(at ?? '') || WHOLE_FILE.test(message) || / more lines of /.test(message),
  );
  return isPlaced && error.problems.length <= 11 ? undefined : error.message;
}
