// Runs of the built program, recorded while they go on, in both databases.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assay, folder, readLog } from '../e2e/support/assay.ts';
import { DATABASES } from './databases.ts';

const TYPE = {
  id: 'tone',
  name: 'Tone',
  kind: 'agent-eval',
  variablesSchema: {
    schemaVersion: '1.0',
    variables: [
      {
        name: 'Language',
        displayName: 'Language',
        dataType: 'string',
        valueSource: 'freeform',
        defaultValue: 'en',
        required: true,
      },
    ],
  },
};
const TEST = {
  id: 'greeting',
  name: 'Greeting',
  type: 'tone',
  agent: './echo.mjs',
  cases: [
    { id: 'a', input: '{{Language}}' },
    { id: 'b', input: '{{Language}}', assert: { type: 'contains', value: 'e' } },
  ],
};
const SUITE = {
  id: 'nightly',
  name: 'Nightly',
  tests: ['greeting'],
  matrix: { Language: ['de', 'fr'] },
};

function application(): string {
  return folder({
    'app.yao': '{}',
    'tests/echo.mjs': 'export default (messages) => messages[0].content;\n',
    'tests/tone.type.json': TYPE,
    'tests/greeting.test.json': TEST,
    'tests/nightly.suite.json': SUITE,
  });
}

describe.each(DATABASES)('the history in $name', (database) => {
  test('has a suite with its definitions, values and results, and pairs them by their variables', async () => {
    const place = await database.create();
    const cwd = application();
    const run = (log: string): ReturnType<typeof assay> =>
      assay(['suite', 'nightly', '--store', place, '-o', log], { cwd });
    const first = await run('first.jsonl');
    expect([first.exitCode, first.stderr]).toEqual([1, expect.stringContaining('4 attempts')]);
    await run('second.jsonl');
    const { start } = readLog(join(cwd, 'first.jsonl'));

    const shown = await assay(['show', start.run_id, '--store', place, '--json'], { cwd });
    expect(JSON.parse(shown.stdout)).toMatchObject({
      run: {
        run_id: start.run_id,
        suite: { id: 'nightly' },
        tests: [{ id: 'greeting' }],
        summary: { total: 4, passed: 3, failed: 1 },
      },
    });
    const rows = async (sql: string): Promise<unknown[]> => database.query(place, sql);
    const definition = (row: unknown): unknown => {
      const { definition: text } = row as { definition: unknown };
      return typeof text === 'string' ? JSON.parse(text) : text;
    };
    expect((await rows('select definition from test_types')).map(definition)).toEqual([TYPE]);
    expect((await rows('select definition from tests')).map(definition)).toEqual([TEST]);
    expect((await rows('select definition from suites')).map(definition)).toEqual([SUITE]);
    expect(await rows('select count(*) as count from suite_runs')).toMatchObject([
      { count: expect.anything() },
    ]);

    const compared = await assay(['compare', '--latest', '--store', place, '--json'], { cwd });
    expect(compared.exitCode).toBe(0);
    expect(JSON.parse(compared.stdout)).toMatchObject({
      counts: { regressed: 0, improved: 0, unchanged: 4, new: 0, removed: 0, unmeasured: 0 },
    });

    // What is there already does not come twice.
    await assay(['import', 'first.jsonl', '--store', place], { cwd });
    const [counted] = await rows('select count(*) as count from results');
    expect(Number((counted as { count: unknown }).count)).toBe(8);

    await assay(['baseline', 'set', 'latest', 'main', '--store', place], { cwd });
    const args = ['suite', 'nightly', '--store', place, '--against', 'main', '--json', '--runs', '2'];
    const against = await assay(args, { cwd });
    expect([against.exitCode, JSON.parse(against.stdout).summary.comparison]).toEqual([
      0,
      expect.objectContaining({ against: 'main', verdict: 'undecided', fails: false }),
    ]);
  });
});
