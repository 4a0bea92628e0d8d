// select_best: after the run, a judge chooses between the answers of all variants of a matrix.

import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, readLog } from '../support/assay.ts';
import { lastOf, modelServer, openai } from '../support/assistant-files.ts';
import { variable } from '../support/definition-files.ts';
import { eventsInHtml } from '../support/html-events.ts';

const env = { SHOP_KEY: 'sk-very-secret-1' };
const CRITERIA = 'is friendlier';
const RUN = ['run', 'qa', '--matrix', 'Tone=kind,cold', '--retries', '0', '-o', 'log.jsonl'];

type Question = { criteria: string; input: string; answers: { number: number; output: string }[] };

/** A model that prefers the kind answer, with its questions. */
async function kindJudge(reply?: (question: Question) => string) {
  const questions: Question[] = [];
  const server = await modelServer((request) => {
    const question = JSON.parse(lastOf(request)) as Question;
    questions.push(question);
    const best = question.answers.find(({ output }) => output.startsWith('kind'))?.number;
    return reply?.(question) ?? JSON.stringify({ reason: 'it is warm', best });
  });
  return { url: server.url, questions };
}

function application(url: string, cases: unknown[], agent = 'return `${Tone} ${content}`;'): string {
  return folder({
    'app.yao': '{}',
    'connectors/small.conn.yao': openai(url),
    'tests/agent.mjs': `export default ([{ content }], { variables: { Tone } }) => { ${agent} };`,
    'tests/tone.type.json': {
      id: 'tone',
      name: 'Tone',
      kind: 'agent-eval',
      variablesSchema: {
        schemaVersion: '1.0',
        variables: [variable('Tone', 'string', { defaultValue: 'kind' })],
      },
    },
    'tests/qa.test.json': { id: 'qa', name: 'QA', type: 'tone', agent: './agent.mjs', cases },
  });
}

const selects = (id: string, more: object = {}) => ({
  id,
  input: id,
  assert: { type: 'select_best', value: CRITERIA, connector: 'small', ...more },
});

const selectionsIn = (cwd: string) =>
  readLog(join(cwd, 'log.jsonl')).events.filter((event) => event.type === 'selection');

test('the judge sees all answers of a case in one run, in mixed order, and no result changes', async () => {
  const judge = await kindJudge();
  const ids = Array.from({ length: 12 }, (_, index) => `q${index}`);
  const cwd = application(judge.url, [...ids.map((id) => selects(id)), { id: 'plain', input: 'x' }]);
  const outputs = ['-o', 'r.json', '-o', 'r.md', '-o', 'r.html'];
  const { exitCode, stdout } = await assay([...RUN, ...outputs, '--runs', '2'], { cwd, env });
  expect(exitCode).toBe(0);

  const log = readLog(join(cwd, 'log.jsonl'));
  expect(log.results.map(({ verdicts }) => verdicts)).toEqual(
    Array.from({ length: 52 }, () => [{ type: 'answered', status: 'passed' }]),
  );
  const selections = selectionsIn(cwd);
  expect(selections).toHaveLength(24);
  expect(selections[0]).toEqual({
    type: 'selection',
    test_id: 'qa',
    id: expect.stringMatching(/^q\d+$/),
    run: 1,
    criteria: CRITERIA,
    choices: expect.arrayContaining([{ Tone: 'kind' }, { Tone: 'cold' }]),
    best: { Tone: 'kind' },
    reason: 'it is warm',
    usage: expect.any(Object),
    cost_usd: expect.anything(),
  });
  expect(log.events.at(-1)?.type).toBe('summary');
  expect(log.summary?.usage?.input_tokens).toBeGreaterThan(0);

  expect(judge.questions).toHaveLength(24);
  for (const { criteria, input, answers } of judge.questions) {
    expect(criteria).toBe(CRITERIA);
    expect(answers.map(({ output }) => output).sort()).toEqual([`cold ${input}`, `kind ${input}`]);
  }
  const first = judge.questions.filter(({ answers }) => answers[0]?.output.startsWith('kind')).length;
  expect(first).toBeGreaterThan(2);
  expect(first).toBeLessThan(22);

  const text = `Best by "${CRITERIA}": Tone=kind 24 of 24, Tone=cold 0 of 24`;
  expect(stdout).toContain(`\n  ${text}\n`);
  expect(readFileSync(join(cwd, 'r.md'), 'utf8')).toContain(
    '### Best Answers\n\n- Best by "is friendlier": Tone=kind 24 of 24, Tone=cold 0 of 24\n',
  );
  expect(JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'))).toMatchObject({
    selections: [
      {
        criteria: CRITERIA,
        variants: [
          { variables: { Tone: 'kind' }, best: 24, total: 24 },
          { variables: { Tone: 'cold' }, best: 0, total: 24 },
        ],
        errors: 0,
      },
    ],
  });
  const events = eventsInHtml(readFileSync(join(cwd, 'r.html'), 'utf8'));
  expect(events.filter(({ type }) => type === 'selection')).toHaveLength(24);
});

test('a choice that cannot be made is an error of the run', async () => {
  const judge = await kindJudge(({ input }) => (input === 'b' ? '{"best": 3}' : '{"best": 1}'));
  const cwd = application(judge.url, [selects('a'), selects('b')]);
  expect((await assay(RUN, { cwd, env })).exitCode).toBe(3);
  expect(
    selectionsIn(cwd).map(({ id, best, error }) => ({ id, isChosen: best !== undefined, error })),
  ).toEqual([
    { id: 'a', isChosen: true, error: undefined },
    {
      id: 'b',
      isChosen: false,
      error: 'the judge answered "{\\"best\\": 3}", but "best" must be a number from 1 to 2',
    },
  ]);
});

test.each([
  ['during its last attempt', -1],
  ['before the choices', undefined],
])('a run that was killed %s is chosen between when it is resumed', async (_when, end) => {
  const judge = await kindJudge();
  const cwd = application(judge.url, [selects('a'), selects('b')]);
  expect((await assay(RUN, { cwd, env })).exitCode).toBe(0);
  const log = join(cwd, 'log.jsonl');
  const lines = readFileSync(log, 'utf8').split('\n');
  const results = lines.filter((line) => /^\{"type":"(start|result)"/.test(line));
  writeFileSync(log, '');
  for (const line of results.slice(0, end)) appendFileSync(log, `${line}\n`);
  expect((await assay(['test', '--resume', 'log.jsonl'], { cwd, env })).exitCode).toBe(0);
  expect(selectionsIn(cwd).map(({ id, best }) => ({ id, best }))).toEqual([
    { id: 'a', best: { Tone: 'kind' } },
    { id: 'b', best: { Tone: 'kind' } },
  ]);
});

test('a variant without an answer loses; one that could not be measured leaves no choice', async () => {
  const judge = await kindJudge();
  const agent = `if (Tone === 'cold' && content === 'crash') throw new Error('broken'); return Tone + ' ' + content;`;
  const cwd = application(judge.url, [selects('crash')], agent);
  expect((await assay(RUN, { cwd, env })).exitCode).toBe(1);
  expect(selectionsIn(cwd)).toMatchObject([
    { id: 'crash', best: { Tone: 'kind' }, reason: 'the only variant with an answer' },
  ]);
  expect(judge.questions).toEqual([]);
});

test('without a matrix there is nothing to choose from, and the run does not begin', async () => {
  const cwd = application('http://127.0.0.1:9', [selects('a')]);
  const replayed = await assay([...RUN, '--replay', 'tapes'], { cwd, env });
  expect({ exitCode: replayed.exitCode, stderr: replayed.stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringContaining('"select_best" asks a model after the run, which --replay cannot answer'),
  });
  const { exitCode, stderr } = await assay(['run', 'qa'], { cwd, env });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringMatching(
      /^tests\/qa\.test\.json:1: "select_best" has nothing to choose from: the run has no matrix\n {2}hint: /,
    ),
  });
});
