// Tests by their definitions: which value each variable gets, and what is refused.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assay, folder, readLog } from '../support/assay.ts';
import type { Override } from '../support/definition-files.ts';
import { application, ECHO, refusal, report, suite, TONE } from '../support/definition-files.ts';

describe('which value wins', () => {
  const both = suite({ variables: { variables: { Language: 'fr' } } });
  const levels: [string, { overrides?: Record<string, Override>; args: string[] }, string, string][] = [
    ['the type', { args: ['run', 'greeting'] }, 'en', 'type'],
    [
      'the test over the type',
      { overrides: { Language: { exposed: true, defaultValue: 'de' } }, args: ['run', 'greeting'] },
      'de',
      'test',
    ],
    [
      'the suite over the test',
      { overrides: { Language: { exposed: true, defaultValue: 'de' } }, args: ['suite', 'nightly'] },
      'fr',
      'suite',
    ],
    ['the run over the suite', { args: ['suite', 'nightly', '--var', 'Language=de'] }, 'de', 'run'],
    ['the run, with -V', { args: ['test', 'run', 'greeting', '-V', 'Language=de'] }, 'de', 'run'],
    [
      'what is locked over everything',
      {
        overrides: { Language: { exposed: true, locked: true, defaultValue: 'de' } },
        args: ['test', 'suite', 'nightly', '--var', 'Language=en'],
      },
      'de',
      'test',
    ],
  ];

  test.each(levels)('%s', async (_name, { overrides = {}, args }, value, source) => {
    const cwd = application({ overrides, files: both });
    const { resolved_variables: resolved, results } = await report(args, cwd);
    expect([resolved?.values['Language'], resolved?.sources['Language']]).toEqual([value, source]);
    expect(results[0]?.variables['Language']).toBe(value);
    expect(JSON.parse(results[0]?.output ?? '')).toMatchObject({ variables: { Language: value } });
  });

  test('--var over --var-file over ASSAY_VAR_ over a preset', async () => {
    const config = 'presets:\n  fast: { Count: 10, Note: preset, Language: fr, Loud: true }\n';
    const cwd = application({
      files: { 'assay.config.yml': config, 'vars.yml': 'Language: de\nNote: file\n' },
    });
    const args = ['run', 'greeting', '--preset', 'fast', '--var-file', 'vars.yml', '--var', 'Language=en'];
    const { resolved_variables: resolved } = await report(args, cwd, {
      ASSAY_VAR_Note: 'environment',
      ASSAY_VAR_Count: '5',
    });
    expect(resolved).toEqual({
      values: { Language: 'en', Count: 5, Loud: true, Since: '2026-01-31', Note: 'file' },
      sources: { Language: 'run', Count: 'run', Loud: 'run', Since: 'type', Note: 'run' },
    });
  });

  test('texts become what the schema says, at the first = sign', async () => {
    const cwd = application();
    const typed = ['Count=-2.5', 'Loud=yes', 'Since=2026-02-03T04:05:06Z', 'Note=a=b=c'];
    const args = ['run', 'greeting', ...typed.flatMap((one) => ['--var', one])];
    const { results } = await report(args, cwd);
    expect(JSON.parse(results[0]?.output ?? '')).toEqual({
      said: 'hi',
      isDate: true,
      variables: {
        Language: 'en',
        Count: -2.5,
        Loud: true,
        Since: '2026-02-03T04:05:06.000Z',
        Note: 'a=b=c',
      },
    });
  });
});

describe('refused before anything runs', () => {
  const wrong: [string, string[], string][] = [
    ['a number that is none', ['--var', 'Count=many'], '--var Count: expected a number, got "many"'],
    ['a switch that is none', ['--var', 'Loud=perhaps'], 'Loud: expected true or false, got "perhaps"'],
    ['a date that is none', ['--var', 'Since=2026-02-30'], 'Since: expected a date'],
    [
      'a value that is not allowed',
      ['--var', 'Language=it'],
      'it is not one of the allowed values: de, en, fr',
    ],
    ['an unknown name', ['--var', 'Langauge=de'], 'did you mean Language?'],
    ['no assignment', ['--var', 'Language'], '"Language" is no assignment'],
    ['an unknown preset', ['--preset', 'fast'], 'no preset "fast"'],
    ['a missing file', ['--var-file', 'none.yml'], 'none.yml: cannot be read'],
    [
      'a value and a matrix',
      ['--var', 'Count=1', '--matrix', 'Count=1,2'],
      'Count is given by --var and by --matrix',
    ],
    ['an empty value', ['--matrix', 'Count=1,,2'], '"Count=1,,2" has an empty value'],
    ['an unknown name in a matrix', ['--matrix', 'Model=a,b'], 'no selected test has a variable Model'],
  ];

  test.each(wrong)('%s', async (_name, args, message) => {
    const [exitCode, stderr] = await refusal(['run', 'greeting', ...args], application());
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('an unknown test, an unknown suite, the name of a suite given as a test', async () => {
    const cwd = application({ files: suite() });
    expect(await refusal(['run', 'greting'], cwd)).toEqual([
      2,
      expect.stringContaining('did you mean greeting?'),
    ]);
    expect(await refusal(['suite', 'nightl'], cwd)).toEqual([
      2,
      expect.stringContaining('did you mean nightly?'),
    ]);
    expect(await refusal(['run', 'nightly'], cwd)).toEqual([
      2,
      expect.stringContaining('it is a suite: assay suite nightly'),
    ]);
  });

  test('a required variable without a value', async () => {
    const required = structuredClone(TONE);
    Object.assign(required.variablesSchema.variables.at(-1) ?? {}, { required: true });
    const cwd = application({ files: { 'tests/tone.type.json': required } });
    expect(await refusal(['run', 'greeting'], cwd)).toEqual([
      2,
      'tests/greeting.test.json: test greeting: the variable Note is required and has no value\n  hint: set it: --var Note=…, or in the test or the suite\n',
    ]);
    expect((await report(['run', 'greeting', '--var', 'Note=x'], cwd)).summary).toMatchObject({ passed: 1 });
  });

  test('-c together with --var AIConfiguration', async () => {
    const cwd = application();
    const [exitCode, stderr] = await refusal(
      ['run', 'greeting', '-c', 'a', '--var', 'AIConfiguration=b'],
      cwd,
    );
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('-c and --var AIConfiguration both choose the connector'),
    ]);
  });

  test('problems in other definitions are only warnings', async () => {
    const cwd = application({ files: { 'tests/broken.test.json': { id: 'broken' } } });
    const { exitCode, stderr } = await assay(['run', 'greeting'], { cwd });
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('problems in other definitions')]);
    expect((await assay(['run', 'broken'], { cwd })).exitCode).toBe(2);
  });
});

test('a value for a locked or hidden variable is reported for that test, and the others run', async () => {
  const cwd = application({
    overrides: { Language: { exposed: true, locked: true }, Note: { exposed: false } },
    files: {
      'tests/open.test.json': {
        id: 'open',
        name: 'Open',
        type: 'tone',
        agent: './echo.mjs',
        cases: [
          {
            id: 'b',
            input: '{{Note}}',
            assert: { type: 'contains', value: 'n' },
          },
        ],
      },
    },
  });
  const args = ['run', 'greeting', 'open', '--var', 'Language=de', '--var', 'Note=n', '-o', 'log.jsonl'];
  const { exitCode, stderr } = await assay(args, { cwd });
  expect([exitCode, stderr]).toEqual([
    0,
    'greeting: Language has no effect here: the test locks it\ngreeting: Note has no effect here: the test does not expose it\n',
  ]);
  const { start, results } = readLog(join(cwd, 'log.jsonl'));
  expect(results.map((result) => [result.test_id, result.variables])).toEqual([
    ['greeting', { Language: 'en', Count: 1, Since: '2026-01-31' }],
    ['open', { Language: 'de', Count: 1, Since: '2026-01-31', Note: 'n' }],
  ]);
  expect(start.resolved_variables).toEqual({
    values: { Language: 'de', Count: 1, Since: '2026-01-31', Note: 'n' },
    sources: { Language: 'run', Count: 'type', Since: 'type', Note: 'run' },
  });
  expect(start.definitions?.tests.map(({ id }) => id)).toEqual(['greeting', 'open']);
});

describe('names in braces', () => {
  test('alone they keep their type, in text they are text, escaped they stay', async () => {
    const cases = [
      {
        id: '{{Count}}',
        input: 'n{{Count}} {{ Language }} \\{{Count}}',
        metadata: { n: '{{Count}}', t: '{{Loud}}!' },
      },
    ];
    const cwd = application({
      cases,
      files: { 'tests/echo.mjs': 'export default (m, ctx) => ({ said: m[0].content, ...ctx.metadata });\n' },
    });
    await report(['run', 'greeting', '--var', 'Loud=no', '-o', 'log.jsonl'], cwd);
    const [result] = readLog(join(cwd, 'log.jsonl')).results;
    expect([result?.id, result?.output]).toEqual([
      '{{Count}}',
      { said: 'n1 en {{Count}}', n: 1, t: 'false!' },
    ]);
  });

  test('unknown ones, and those without a value, are errors with their places', async () => {
    const cwd = application({
      files: {
        'tests/greeting.test.json': {
          id: 'greeting',
          name: 'G',
          type: 'tone',
          agent: './echo.mjs',
          input: 'g.jsonl',
        },
        'tests/g.jsonl': [
          { id: 'a', input: '{{Langauge}}' },
          { id: 'b', input: 'x', expected: '{{Note}}' },
        ],
      },
    });
    const [exitCode, stderr] = await refusal(['run', 'greeting'], cwd);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('tests/g.jsonl:1: {{Langauge}}: there is no such variable');
    expect(stderr).toContain('did you mean {{Language}}?');
    expect(stderr).toContain('tests/g.jsonl:2: {{Note}}: the variable has no value in this test');
  });

  test('under assay test -i only declared names are replaced', async () => {
    const cwd = folder({
      'echo.mjs': ECHO,
      'c.jsonl': [
        { id: 'a', input: '{{Temperature}} {{MaxTokens}} {{Other}} \\{{Temperature}} \\{{Other}}' },
      ],
    });
    const args = ['test', '-i', 'c.jsonl', '-n', './echo.mjs', '--var', 'Temperature=0.5', '-o', 'log.jsonl'];
    await assay(args, { cwd });
    const [result] = readLog(join(cwd, 'log.jsonl')).results;
    expect([result?.input, result?.variables]).toEqual([
      '0.5 {{MaxTokens}} {{Other}} {{Temperature}} \\{{Other}}',
      { Temperature: 0.5 },
    ]);
    const [exitCode, stderr] = await refusal(
      ['test', '-i', 'c.jsonl', '-n', './echo.mjs', '--var', 'Other=1'],
      cwd,
    );
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('no case declares the variable Other')]);
  });
});
