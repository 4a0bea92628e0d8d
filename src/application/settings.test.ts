import { expect, test } from 'vitest';
import { ConfigError } from '../errors.ts';
import type { SettingSources } from './settings.ts';
import { resolveSettings } from './settings.ts';

function resolve(sources: Partial<SettingSources>): unknown {
  try {
    return resolveSettings({ flags: {}, env: {}, config: {}, ...sources });
  } catch (error) {
    return error instanceof ConfigError ? error.problems : error;
  }
}

const defaults = {
  inputs: [],
  outputs: [],
  runs: 1,
  tags: [],
  retries: 2,
  fail_fast: false,
  isolate: false,
  allow_empty: false,
  require_tests: false,
  verbose: false,
};

test('has defaults', () => {
  expect(resolve({})).toEqual(defaults);
});

test('takes every flag', () => {
  const flags = {
    input: ['a.jsonl', 'hello, world'],
    output: ['-', 'report.md'],
    name: 'keyword',
    connector: 'openai.gpt4',
    user: 'admin',
    team: 'ops',
    ctx: 'context.json',
    reporter: 'report.json',
    beforeAll: 'env_test.BeforeAll',
    afterAll: 'scripts.env.AfterAll',
    runs: '5',
    run: '^T0(?i)x',
    tag: ['smoke', 'fast, slow'],
    timeout: '1m30s',
    parallel: '8',
    retries: '0',
    minPassRate: '80%',
    failFast: true,
    isolate: true,
    allowEmpty: true,
    requireTests: true,
    verbose: true,
  };
  expect(resolve({ flags })).toEqual({
    inputs: ['a.jsonl', 'hello, world'],
    outputs: ['-', 'report.md'],
    name: 'keyword',
    connector: 'openai.gpt4',
    user: 'admin',
    team: 'ops',
    ctx: 'context.json',
    reporter: 'report.json',
    before_all: 'env_test.BeforeAll',
    after_all: 'scripts.env.AfterAll',
    runs: 5,
    run: '^T0(?i)x',
    tags: ['smoke', 'fast', 'slow'],
    timeout_ms: 90_000,
    parallel: 8,
    retries: 0,
    min_pass_rate: 80,
    fail_fast: true,
    isolate: true,
    allow_empty: true,
    require_tests: true,
    verbose: true,
  });
});

test('takes flags over the environment over the configuration over the defaults', () => {
  const config = {
    parallel: 2,
    runs: 2,
    timeout: '2s',
    user: 'config',
    min_pass_rate: 50,
    fail_fast: true,
    tag: 'a',
  };
  const env = {
    ASSAY_PARALLEL: '3',
    ASSAY_RUNS: '3',
    ASSAY_FAIL_FAST: 'no',
    ASSAY_USER: '',
    ASSAY_TAG: 'b,c',
  };
  expect(resolve({ flags: { parallel: '4' }, env, config })).toEqual({
    ...defaults,
    parallel: 4,
    runs: 3,
    timeout_ms: 2000,
    user: 'config',
    min_pass_rate: 50,
    fail_fast: false,
    isolate: false,
    tags: ['b', 'c'],
  });
});

test('takes every variable of the environment', () => {
  const env = {
    ASSAY_ALLOW_EMPTY: 'yes',
    ASSAY_CONNECTOR: 'c',
    ASSAY_CTX: 'x.json',
    ASSAY_FAIL_FAST: '1',
    ASSAY_ISOLATE: '1',
    ASSAY_MIN_PASS_RATE: '99.5',
    ASSAY_NAME: 'n',
    ASSAY_PARALLEL: '2',
    ASSAY_REPORTER: 'r',
    ASSAY_REQUIRE_TESTS: '1',
    ASSAY_RETRIES: '1',
    ASSAY_RUNS: '3',
    ASSAY_TAG: 'smoke',
    ASSAY_TEAM: 't',
    ASSAY_TIMEOUT: '5s',
    ASSAY_USER: 'u',
    ASSAY_VERBOSE: 'true',
  };
  expect(resolve({ env })).toEqual({
    inputs: [],
    outputs: [],
    connector: 'c',
    ctx: 'x.json',
    fail_fast: true,
    isolate: true,
    allow_empty: true,
    require_tests: true,
    min_pass_rate: 99.5,
    name: 'n',
    parallel: 2,
    reporter: 'r',
    retries: 1,
    runs: 3,
    tags: ['smoke'],
    team: 't',
    timeout_ms: 5000,
    user: 'u',
    verbose: true,
  });
});

test('starts the paths of a configuration from the root', () => {
  expect(resolve({ config: { ctx: 'context.json', output: ['-', 'out/report.md'] }, root: '/app' })).toEqual({
    ...defaults,
    ctx: '/app/context.json',
    outputs: ['-', '/app/out/report.md'],
  });
});

test('reports all problems at once, with the place of each', () => {
  const flags = { runs: '0', parallel: '1.5', run: '(', user: ' ', minPassRate: '101', timeout: '-5s' };
  const env = { ASSAY_RETRIES: '-1', ASSAY_FAIL_FAST: 'maybe' };
  const config = { verbose: 'x', tag: [1], team: 5 };
  expect(resolve({ flags, env, config })).toEqual([
    { message: 'must not be empty', at: '--user' },
    { message: 'must be text, not 5', at: '"team" in assay.config' },
    { message: 'must be a whole number of at least 1, not "0"', at: '--runs' },
    { message: expect.stringMatching(/^"\(" is not a valid pattern: .*missing closing \)/), at: '--run' },
    { message: 'must be text or a list of texts, not [1]', at: '"tag" in assay.config' },
    {
      message: 'invalid duration "-5s": no sign allowed, write it like 500ms, 30s or 1h30m',
      at: '--timeout',
    },
    { message: 'must be a whole number of at least 1, not "1.5"', at: '--parallel' },
    { message: 'must be a whole number of at least 0, not "-1"', at: 'ASSAY_RETRIES' },
    { message: 'must be a percentage from 0 to 100, not "101"', at: '--min-pass-rate' },
    { message: 'must be true or false, not "maybe"', at: 'ASSAY_FAIL_FAST' },
    { message: 'must be true or false, not "x"', at: '"verbose" in assay.config' },
  ]);
});
