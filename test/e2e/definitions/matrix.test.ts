// One definition, many combinations of values.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assay, readLog } from '../support/assay.ts';
import { application, refusal, report, suite, TONE } from '../support/definition-files.ts';

describe('a matrix', () => {
  const hard = [
    { id: 'a', input: '{{Language}}' },
    { id: 'b', input: '{{Language}}', assert: { type: 'not_contains', value: 'fr' } },
  ];

  test('runs all combinations, and says how many attempts before', async () => {
    const cwd = application({ cases: hard });
    const args = [
      'run',
      'greeting',
      '--matrix',
      'Language=de,fr',
      '--matrix',
      'Count=1,2',
      '-o',
      'log.jsonl',
    ];
    const { exitCode, stderr } = await assay(args, { cwd });
    expect([exitCode, stderr]).toEqual([
      1,
      'Matrix of Language (2) × Count (2): 1 test in 4 combinations, 8 cases, 8 attempts.\n',
    ]);
    const { start, results } = readLog(join(cwd, 'log.jsonl'));
    expect(start.matrix).toEqual({ Language: ['de', 'fr'], Count: [1, 2] });
    expect(
      results.map(({ id, status, variables }) => [id, status, variables?.['Language'], variables?.['Count']]),
    ).toEqual([
      ['a', 'passed', 'de', 1],
      ['b', 'passed', 'de', 1],
      ['a', 'passed', 'de', 2],
      ['b', 'passed', 'de', 2],
      ['a', 'passed', 'fr', 1],
      ['b', 'failed', 'fr', 1],
      ['a', 'passed', 'fr', 2],
      ['b', 'failed', 'fr', 2],
    ]);
    expect(new Set(results.map(({ key }) => key)).size).toBe(8);

    const again = await assay(['test', '--failed', 'log.jsonl', '-o', 'again.jsonl'], { cwd });
    expect(again.exitCode).toBe(1);
    expect(
      readLog(join(cwd, 'again.jsonl')).results.map(({ id, variables }) => [id, variables?.['Count']]),
    ).toEqual([
      ['b', 1],
      ['b', 2],
    ]);
  });

  test('locked variables do not multiply a test; --pairwise takes fewer combinations', async () => {
    const cwd = application({ overrides: { Count: { exposed: true, locked: true } } });
    const locked = await report(
      ['run', 'greeting', '--matrix', 'Language=de,fr', '--matrix', 'Count=1,2'],
      cwd,
    );
    expect(locked.summary).toMatchObject({ total: 2 });
    const open = application();
    const three = ['--matrix', 'Language=de,en,fr', '--matrix', 'Count=1,2,3', '--matrix', 'Note=a,b,c'];
    expect((await report(['run', 'greeting', ...three], open)).summary).toMatchObject({ total: 27 });
    expect((await report(['run', 'greeting', ...three, '--pairwise'], open)).summary).toMatchObject({
      total: 10,
    });
  });

  test('more than a thousand attempts need --yes or a higher --max-attempts', async () => {
    const cwd = application();
    const many = Array.from({ length: 40 }, (_, index) => String(index)).join(',');
    const args = ['run', 'greeting', '--matrix', `Count=${many}`, '--matrix', `Note=${many}`];
    expect(await refusal(args, cwd)).toEqual([
      2,
      'this would be 1,600 attempts, more than 1,000\n  hint: --yes runs them all the same; so does --max-attempts 1600\n',
    ]);
    expect((await refusal([...args, '--max-attempts', '1599'], cwd))[0]).toBe(2);
    expect((await report([...args, '--yes'], cwd)).summary).toMatchObject({ total: 1600, passed: 1600 });
  });

  test('in a suite, --var takes the place of one of its variables', async () => {
    const cwd = application({ files: suite({ matrix: { Language: ['de', 'en'], Count: [1, 2] } }) });
    expect((await report(['suite', 'nightly'], cwd)).summary).toMatchObject({ total: 4 });
    const { results } = await report(['suite', 'nightly', '--var', 'Language=fr'], cwd);
    expect(results.map(({ variables }) => [variables['Language'], variables['Count']])).toEqual([
      ['fr', 1],
      ['fr', 2],
    ]);
  });

  test('combinations that do not go together are left out', async () => {
    const dependent = structuredClone(TONE);
    Object.assign(dependent.variablesSchema.variables.at(-1) ?? {}, {
      dependsOn: { variable: 'Language', values: { de: ['hallo'], en: ['hello'] } },
    });
    const cwd = application({ files: { 'tests/tone.type.json': dependent } });
    const args = [
      'run',
      'greeting',
      '--matrix',
      'Language=de,en',
      '--matrix',
      'Note=hallo,hello',
      '-o',
      'log.jsonl',
    ];
    const { exitCode, stderr } = await assay(args, { cwd });
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('2 of 4 combinations are left out')]);
    expect(readLog(join(cwd, 'log.jsonl')).results.map(({ variables }) => variables?.['Note'])).toEqual([
      'hallo',
      'hello',
    ]);
    expect(await refusal(['run', 'greeting', '--var', 'Language=de', '--var', 'Note=hello'], cwd)).toEqual([
      2,
      expect.stringContaining('hello is not one of the allowed values: hallo (while Language is de)'),
    ]);
  });
});
