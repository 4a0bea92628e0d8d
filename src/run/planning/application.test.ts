import { expect, test } from 'vitest';
import { createRedactor } from '../../secrets/redact.ts';
import type { RunApplication } from './application.ts';
import { openRunApplication } from './application.ts';
import { NOTHING_SET, tempApplication } from '../temp-application.fixture.ts';
import type { TempApplication } from '../temp-application.fixture.ts';
import type { TestFlags } from '../request.ts';

async function open({ root, io }: TempApplication, flags: TestFlags): Promise<RunApplication> {
  return openRunApplication({ flags, cwd: root, earlierInputs: [], focus: {} }, io);
}

test('the first case file says which application is meant', async () => {
  const files = { 'app/app.yao': '', 'app/.env': 'A=1\n', 'app/tests/a.jsonl': '' };
  const application = tempApplication(files);
  const { at, root } = application;
  const input = ['Hello', 'app/tests'];
  const { redactor, ...opened } = await open(application, { input });
  expect(opened).toEqual({
    root: at('app'),
    cwd: root,
    env: { A: '1' },
    dotenv: { A: '1' },
    config: {},
    settings: { ...NOTHING_SET, inputs: input },
    named: [
      { type: 'message', message: 'Hello' },
      { type: 'file', path: at('app/tests/a.jsonl') },
    ],
    reporter: undefined,
  });
  expect(redactor.text('secret')).toBe(createRedactor([]).text('secret'));
});

test('standard input is kept in the application that the other inputs name', async () => {
  const application = tempApplication({ 'app/app.yao': '', 'app/a.jsonl': '' }, '{"id":"s","input":"hi"}\n');
  const { root, named } = await open(application, { input: ['-', 'app/a.jsonl'] });
  expect({ root, named }).toEqual({
    root: application.at('app'),
    named: [
      {
        type: 'file',
        stdin: true,
        path: expect.stringContaining(application.at('app/.assay/stdin/stdin-')) as string,
      },
      { type: 'file', path: application.at('app/a.jsonl') },
    ],
  });
});

test('a run that only replays needs no keys; those that are set are masked', async () => {
  const application = tempApplication({ '.env': 'OPENAI_API_KEY=sk-0123456789abcdef\nPLAIN=1\n' });
  const { env, redactor } = await open(application, { input: ['hi'], replay: 'tapes' });
  expect({
    key: env['ANTHROPIC_API_KEY'],
    plain: env['PLAIN'],
    other: env['OTHER'],
    masked: redactor.text('sk-0123456789abcdef'),
  }).toEqual({ key: '__secret__', plain: '1', other: undefined, masked: '***' });
});

test('a word that is nearly a file is noted', async () => {
  const application = tempApplication({ 'cases.jsonl': '' });
  await open(application, { input: ['casesjsonl'] });
  expect(application.told()).toBe(
    'there is no file or folder "casesjsonl" (did you mean "cases.jsonl"?), so it is sent as a message\n',
  );
});

test('problems of flags, configuration and inputs are thrown together', async () => {
  const application = tempApplication({ 'assay.config.json': '{ "retries": "x" }' });
  const opening = open(application, { input: ['missing.jsonl'], runs: 'many' });
  await expect(opening).rejects.toMatchObject({
    problems: [
      { at: '--runs' },
      { at: '"retries" in assay.config' },
      { message: 'input file "missing.jsonl" does not exist' },
    ],
  });
});

test('a run needs an input', async () => {
  await expect(open(tempApplication(), {})).rejects.toMatchObject({
    problems: [{ message: 'nothing to test' }],
  });
});

test('without -i, the configuration says what to test, from its own folder', async () => {
  const application = tempApplication({
    'assay.config.json': '{ "input": ["cases/*.jsonl", "Hello there"] }',
    'cases/a.jsonl': '',
    'deep/er/x.txt': '',
  });
  const { at, io, root } = application;
  const request = { flags: {}, cwd: at('deep/er'), earlierInputs: [], focus: {} };
  const opened = await openRunApplication(request, io);
  expect({ root: opened.root, inputs: opened.settings.inputs, named: opened.named }).toEqual({
    root,
    inputs: ['cases/*.jsonl', 'Hello there'],
    named: [
      { type: 'file', path: at('cases/a.jsonl') },
      { type: 'message', message: 'Hello there' },
    ],
  });
  const typed = await open(application, { input: ['Good morning'] });
  expect(typed.named).toEqual([{ type: 'message', message: 'Good morning' }]);
});

test('a configured input that does not exist is a problem of the configuration', async () => {
  const application = tempApplication({ 'assay.config.json': '{ "input": "missing.jsonl" }' });
  await expect(open(application, {})).rejects.toMatchObject({
    problems: [{ at: '"input" in assay.config', message: 'input file "missing.jsonl" does not exist' }],
  });
});
