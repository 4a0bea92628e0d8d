import { expect, test } from 'vitest';
import type { LoggedInput } from '../../model/event.ts';
import { rerunCommand } from './rerun.ts';

const AGENT = { agent_id: 'keyword', agent_sha256: 'bb', sha256: 'aa' };
const FILE: LoggedInput = { type: 'file', path: 'app/tests/inputs.jsonl', ...AGENT };

const commandOf = (
  inputs: LoggedInput[],
  named: { id: string; test_id: string; variables?: Record<string, unknown> },
  flags: Record<string, unknown> = {},
): string | undefined => rerunCommand({ inputs, flags }, named);

test('a case of a file, by a pattern that means nothing but its id', () => {
  const named = { id: "it's (1+1)", test_id: 'tests/inputs.jsonl' };
  expect(commandOf([FILE], named, { name: './agent.ts', connector: 'local.terse' })).toBe(
    String.raw`assay test -i app/tests/inputs.jsonl --run '^it'\''s \(1\+1\)$' -n ./agent.ts -c local.terse`,
  );
});

test('messages, scripts and skills', () => {
  const message: LoggedInput = { type: 'message', message: 'hello you', agent_id: 'a', agent_sha256: 'b' };
  expect(commandOf([message], { id: 'message', test_id: 'message' })).toBe("assay test -i 'hello you'");
  const script: LoggedInput = {
    type: 'script',
    input: 'scripts.*',
    script: 'scripts.expense.setup',
    script_path: 'x',
    file: 'y',
    ...AGENT,
  };
  expect(commandOf([FILE, script], { id: 'TestA', test_id: 'scripts.expense.setup' })).toBe(
    "assay test -i scripts.expense.setup --run '^TestA$'",
  );
  const byPath = { ...script, input: 'src/*_test.ts', script: 'src/a_test.ts', script_path: 'src/a_test.ts' };
  expect(
    commandOf([{ ...byPath, file: '../src/a_test.ts' }], { id: 'TestA', test_id: 'src/a_test.ts' }),
  ).toBe("assay test -i ../src/a_test.ts --run '^TestA$'");
  const skill: LoggedInput = {
    type: 'skill',
    input: 'skills.*',
    skill: 'pricing',
    skill_type: 'skill',
    ...AGENT,
  };
  expect(commandOf([skill], { id: 'pricing', test_id: 'skills.pricing' })).toBe('assay skills pricing');
});

test('a test by its definition, with the values that were not its own', () => {
  const input = (Model: string): LoggedInput => ({
    ...FILE,
    test: 'greeting',
    test_id: 'greeting',
    resolved_variables: {
      values: { Model, Language: 'en', Tone: 'dry' },
      sources: { Model: 'run', Language: 'type', Tone: 'suite' },
    },
  });
  const variables = { Model: 'b c', Language: 'en', Tone: 'dry' };
  expect(commandOf([input('a'), input('b c')], { id: 'T1', test_id: 'greeting', variables })).toBe(
    "assay run greeting --run '^T1$' --var 'Model=b c' --var Tone=dry",
  );
});

test('nothing where it cannot be typed', () => {
  expect(commandOf([{ ...FILE, generated: 'agents:g?count=2' }], { id: 'T1', test_id: 'x' })).toBe(undefined);
  expect(commandOf([FILE], { id: 'T\u202e1', test_id: 'tests/inputs.jsonl' })).toBe(undefined);
  expect(commandOf([FILE], { id: 'a\nrm -r .', test_id: 'tests/inputs.jsonl' })).toBe(undefined);
});

test('a combination of a matrix, with the same variables again', () => {
  const input = (agent: string): LoggedInput => ({
    ...FILE,
    test_id: 'tests/inputs.jsonl',
    resolved_variables: {
      values: { Temperature: 0, agent },
      sources: { Temperature: 'run', agent: 'run' },
    },
  });
  const start = {
    inputs: [input('./a.ts'), input('./b.ts')],
    flags: { name: './a.ts' },
    matrix: { agent: ['./a.ts', './b.ts'] },
  };
  const named = {
    id: 'T1',
    test_id: 'tests/inputs.jsonl',
    variables: { Temperature: 0, agent: './b.ts' },
  };
  expect(rerunCommand(start, named)).toBe(
    "assay test -i app/tests/inputs.jsonl --run '^T1$' --var Temperature=0 --matrix agent=./b.ts",
  );
  const withComma = { ...named, variables: { agent: 'http://x/?a,b' } };
  expect(rerunCommand(start, withComma)).toBe(undefined);
});
