import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/history/store/open-store.ts';
import { DATABASES } from './databases.ts';

// Below the project, so that the program finds its packages.
const folder = mkdtempSync('node_modules/.assay-writer-');
const program = join(folder, 'writer.mjs');

beforeAll(() =>
  build({
    entryPoints: ['test/contracts/store-writer.ts'],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  }),
);
afterAll(() => rmSync(folder, { recursive: true }));

/** A writer that is running, and how many results of each run were acknowledged to it. */
type Writer = { process: ChildProcess; acknowledged: Map<string, number>; ended: Promise<unknown> };

function startWriter(place: string, name: string, rounds: number): Writer {
  const child = spawn(process.execPath, [program, place, name, String(rounds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged = new Map<string, number>();
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [run = '', count] = line.split(' ');
      acknowledged.set(run, Number(count));
    }
  });
  return { process: child, acknowledged, ended: once(child, 'close') };
}

describe.each(DATABASES)('the history in $name', (database) => {
  test('loses nothing it acknowledged when writers are killed', async () => {
    const place = await database.create();
    const acknowledged = new Map<string, number>();
    const end = async (writer: Writer): Promise<void> => {
      await writer.ended;
      for (const [run, count] of writer.acknowledged) acknowledged.set(run, count);
    };
    // Four write to the end while six more are killed in the middle of it, each at another moment.
    const survivors = [1, 2, 3, 4].map((n) => startWriter(place, `survivor${n}`, 5));
    for (let n = 0; n < 6; n++) {
      const victim = startWriter(place, `victim${n}`, 1000);
      const deadline = Date.now() + 20_000;
      while (victim.acknowledged.size === 0 && Date.now() < deadline) await sleep(5);
      await sleep(30 * n);
      victim.process.kill('SIGKILL');
      await end(victim);
    }
    await Promise.all(survivors.map(end));

    const store = await openStore(place);
    const lost: string[] = [];
    for (const [run, count] of acknowledged) {
      const { results } = await store.results(run, { limit: 1000 });
      const cases = await store.cases(run);
      const ids = results.map((result) => result.run);
      const counted = cases.reduce((sum, one) => sum + one.passed, 0);
      if (results.length < count || counted !== results.length || ids.some((id, n) => id !== n)) {
        lost.push(`${run}: ${results.length} of ${count}, counted ${counted}`);
      }
    }
    await store.close();
    expect(lost).toEqual([]);
    const names = [...acknowledged.keys()];
    expect(names.filter((name) => name.startsWith('survivor')).length).toBe(20);
    expect(
      new Set(names.filter((name) => name.startsWith('victim')).map((name) => name.split('-')[0])).size,
    ).toBe(6);
    if (database.name !== 'SQLite') return;
    expect(await database.query(place, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(await database.query(place, 'pragma foreign_key_check')).toEqual([]);
  });
});
