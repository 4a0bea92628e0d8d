// Cases that an agent or a script makes.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, endsIn, folder, outputsIn, readLog, start, write } from '../support/assay.ts';
import { until } from '../../until.ts';

const AGENT = `
import { appendFileSync } from 'node:fs';
export default async (messages) => {
  const [what, ms] = String(messages[0].content).split(' ');
  appendFileSync('calls.txt', what + '\\n');
  if (ms) await new Promise((done) => setTimeout(done, Number(ms)));
  return what;
};
`;
/** Gives back what it was asked for, as text with JSON in it. */
const GENERATOR = `
import { appendFileSync } from 'node:fs';
export default (messages) => {
  const { count, focus, target_agent } = JSON.parse(messages[0].content);
  appendFileSync('calls.txt', 'generator ' + messages[0].content + '\\n');
  if (focus === 'nothing') return { cases: [] };
  if (focus === 'throw') throw new Error('out of ideas');
  if (focus === 'prose') return 'I would rather not.';
  if (focus === 'wrong') return [{ input: 'fine' }, { input: 'bad', exspected: 1 }];
  const cases = Array.from({ length: count }, (_, index) => ({ input: focus + index }));
  return 'Here you are:\\n\`\`\`json\\n' + JSON.stringify({ test_cases: cases }) + '\\n\`\`\`';
};
`;
const SCRIPT = `
function Cases(params: any, ctx: any) {
  return [
    { id: 'own', input: 'a', tags: ['x'], assert: { type: 'equals', value: 'a' }, timeout: '5s', metadata: { n: params.n } },
    { input: 'b ' + (params.ms ?? 0), description: 'for ' + ctx.User.ID, skip: params.skip },
  ];
}
function Hang() { for (;;); }
function Loud({ nothing }: any) {
  console.log('looking for the database');
  if (!nothing) throw new Error('not there');
}
function Jsonl({ broken }: any) {
  return 'Three:\\n{\\n  "id": "a",\\n  "input": "a"\\n}\\n{"id": "b", "input": "b"' + (broken ? ',' : '') + '}\\n{"id": "c", "input": "c"}';
}
`;

function application(): string {
  return folder({
    'app.yao': {},
    'agent.mjs': AGENT,
    'assistants/workers/gen/package.yao': { run: { module: './gen.mjs' } },
    'assistants/workers/gen/gen.mjs': GENERATOR,
    'scripts/tests/gen.ts': SCRIPT,
  });
}

const RUN = ['test', '-n', './agent.mjs', '-o', 'log.jsonl'];

test('an agent generates cases for the agent under test', async () => {
  const cwd = application();
  const { exitCode, stderr } = await assay([...RUN, '-i', 'agents:workers.gen?count=2&focus=edge'], { cwd });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(callsIn(cwd)).toEqual([
    'generator {"count":2,"focus":"edge","target_agent":{"id":"agent.mjs"}}',
    'edge0',
    'edge1',
  ]);
  const { results, start: event } = readLog(join(cwd, 'log.jsonl'));
  expect(results.map(({ id, test_id, output }) => ({ id, test_id, output }))).toEqual([
    { id: 'G001', test_id: 'agents:workers.gen?count=2&focus=edge', output: 'edge0' },
    { id: 'G002', test_id: 'agents:workers.gen?count=2&focus=edge', output: 'edge1' },
  ]);
  expect(event.inputs).toMatchObject([{ type: 'file', generated: 'agents:workers.gen?count=2&focus=edge' }]);
});

test('a script generates cases with all their fields, which --dry-run saves', async () => {
  const cwd = application();
  const args = ['test', '-n', './agent.mjs', '-i', 'scripts:tests.gen.Cases?n=3&skip=true', '--dry-run'];
  const { exitCode } = await assay([...args, '-o', 'cases.jsonl'], { cwd });
  expect({ exitCode, calls: callsIn(cwd) }).toEqual({ exitCode: 0, calls: [] });
  const again = await assay([...RUN, '-i', 'cases.jsonl', '-u', 'eve'], { cwd });
  expect(again.exitCode).toBe(0);
  expect(readLog(join(cwd, 'log.jsonl')).results).toMatchObject([
    {
      id: 'own',
      input: 'a',
      tags: ['x'],
      status: 'passed',
      verdicts: [{ type: 'equals', status: 'passed' }],
    },
    { id: 'G002', input: 'b 0', description: 'for test-user', status: 'skipped', reason: 'skip' },
  ]);
});

test('a function named like an ending generates cases as text, over several lines', async () => {
  const cwd = application();
  const { exitCode, stderr } = await assay([...RUN, '-i', 'scripts:tests.gen.Jsonl'], { cwd });
  expect({ exitCode, stderr, calls: callsIn(cwd) }).toEqual({
    exitCode: 0,
    stderr: '',
    calls: ['a', 'b', 'c'],
  });
});

test('generators mix with files, and a resumed run has the same cases', async () => {
  const cwd = application();
  write(join(cwd, 'cases.jsonl'), [{ id: 'own', input: 'c' }]);
  const run = start([...RUN, '-i', 'scripts:tests.gen.Cases?ms=400', '-i', 'cases.jsonl'], { cwd });
  await until(() => callsIn(cwd).includes('b'));
  run.child.kill('SIGINT');
  expect((await run.finished).exitCode).toBe(130);
  const { exitCode } = await assay(['test', '--resume', 'log.jsonl'], { cwd });
  expect({ exitCode, calls: callsIn(cwd) }).toEqual({ exitCode: 0, calls: ['a', 'b', 'c'] });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  expect(results.at(-1)).toMatchObject({ id: 'own', test_id: 'cases.jsonl', status: 'passed' });
  expect(readdirSync(join(cwd, '.assay/generated'))).toHaveLength(1);
});

test('--failed runs the generated cases that did not pass', async () => {
  const cwd = application();
  write(
    join(cwd, 'scripts/tests/gen.ts'),
    'export const Cases = () => [{ input: "a" }, { input: "b", assert: { type: "equals", value: "c" } }];',
  );
  expect((await assay([...RUN, '-i', 'scripts:tests.gen.Cases'], { cwd })).exitCode).toBe(1);
  const again = await assay(['test', '--failed', '-o', 'again.jsonl'], { cwd });
  expect({ exitCode: again.exitCode, ...endsIn(join(cwd, 'again.jsonl')) }).toMatchObject({
    exitCode: 1,
    G002: expect.stringMatching(/^failed/),
  });
  expect(callsIn(cwd)).toEqual(['a', 'b', 'b']);
});

test.each([
  [
    'agents:workers.gen?focus=throw',
    3,
    'the generator agents:workers.gen?focus=throw failed: out of ideas\n',
  ],
  [
    'agents:workers.gen?focus=prose',
    3,
    'the generator agents:workers.gen?focus=prose gave no cases but "I would rather not."\n',
  ],
  ['agents:workers.gen?focus=nothing', 2, 'the generator agents:workers.gen?focus=nothing gave no cases\n'],
  ['agents:workers.gen?focus=wrong', 2, 'agents:workers.gen?focus=wrong:2: unknown field "exspected"\n'],
  [
    'scripts:tests.gen.Jsonl?broken=true',
    3,
    'gave cases that cannot be read: invalid JSON at line 6, column 26: {"id": "b", "input": "b",}\n',
  ],
  ['agents:workers.gem', 2, 'no agent "agents:workers.gem"; looked for'],
  [
    'scripts:tests.gen.Case',
    2,
    'scripts.tests.gen.Case: no function "Case" in scripts/tests/gen.ts; did you mean "Cases"?\n',
  ],
  ['scripts:tests.gem.Cases', 2, 'scripts.tests.gem.Cases: no such script'],
  [
    'scripts:tests.gen.Loud',
    3,
    'the generator scripts:tests.gen.Loud failed: not there; it printed:\n  looking for the database\n',
  ],
  [
    'scripts:tests.gen.Loud?nothing=true',
    3,
    'gave no cases but nothing; it printed:\n  looking for the database\n  hint: it gives a list',
  ],
  ['scripts:tests.gen.Hang', 3, 'the generator scripts:tests.gen.Hang failed: timed out after 400ms\n'],
])('%s: exit %i', async (input, exitCode, message) => {
  const cwd = application();
  const finished = await assay([...RUN, '-i', input, '--timeout', '400ms'], { cwd });
  expect(finished.exitCode).toBe(exitCode);
  expect(finished.stderr).toContain(message);
  expect(readdirSync(cwd)).not.toContain('log.jsonl');
});

test('nothing is generated if anything else is wrong', async () => {
  const cwd = application();
  write(join(cwd, 'cases.jsonl'), [{ id: 'own', inputt: 'c' }]);
  const { exitCode, stderr } = await assay(
    [
      ...RUN,
      '-i',
      'agents:workers.gen?count=1&focus=x',
      '-i',
      'cases.jsonl',
      '-i',
      'scripts:tests.none.Cases',
    ],
    { cwd },
  );
  expect({ exitCode, calls: callsIn(cwd) }).toEqual({ exitCode: 2, calls: [] });
  expect(stderr).toContain('unknown field "inputt"');
  expect(stderr).toContain('scripts.tests.none.Cases: no such script');
});

test('cases that --dry-run saves elsewhere run as before: their turns, and the files they name', async () => {
  const part = (source: string): object => ({ type: 'file', source });
  const user = { role: 'user', content: [part('file://a%20b.txt'), part('https://x.test/y')] };
  const cases = [
    { id: 'turns', turns: [{ input: 'one' }, { input: [part('file://../n.txt')] }] },
    { id: 'message', input: user },
    { id: 'messages', input: [user, { role: 'user', content: 'plain' }] },
    { id: 'part', input: part('file://a b.txt') },
  ];
  const cwd = folder({
    'app.yao': {},
    'agent.mjs': 'export default (messages) => JSON.stringify(messages);',
    'tests/deep/cases.jsonl': cases,
    'tests/deep/a b.txt': 'ab',
    'tests/n.txt': 'n',
  });
  const run = (input: string, ...more: string[]): ReturnType<typeof assay> =>
    assay(['test', '-n', './agent.mjs', '-i', input, ...more], { cwd });
  const saving = await run(
    'tests/deep/cases.jsonl',
    '--dry-run',
    '-o',
    'saved/cases.jsonl',
    '-o',
    'tests/deep/b.jsonl',
  );
  expect({ exitCode: saving.exitCode, stderr: saving.stderr }).toEqual({
    exitCode: 0,
    stderr: 'Cases: saved/cases.jsonl\nCases: tests/deep/b.jsonl\n',
  });
  const saved = readFileSync(join(cwd, 'saved/cases.jsonl'), 'utf8').trim().split('\n');
  expect(saved.map((line): unknown => JSON.parse(line))[0]).toEqual({
    id: 'turns',
    turns: [{ input: 'one' }, { input: [part('file://../tests/n.txt')] }],
  });
  expect(readFileSync(join(cwd, 'tests/deep/b.jsonl'), 'utf8')).toBe(
    cases.map((testCase) => `${JSON.stringify(testCase)}\n`).join(''),
  );
  const ends = [
    await run('tests/deep/cases.jsonl', '-o', 'a.jsonl'),
    await run('saved/cases.jsonl', '-o', 'b.jsonl'),
  ];
  expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect(outputsIn(join(cwd, 'b.jsonl'))).toEqual(outputsIn(join(cwd, 'a.jsonl')));
});

test('--dry-run says which ids of the cases it saved are not unique', async () => {
  const cwd = application();
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  for (const name of ['one', 'two', 'three'])
    write(
      join(cwd, `${name}.jsonl`),
      ids.map((id) => ({ id, input: id })),
    );
  const inputs = ['one', 'two', 'three'].flatMap((name) => ['-i', `${name}.jsonl`]);
  const { exitCode, stderr } = await assay(
    ['test', '-n', './agent.mjs', ...inputs, '--dry-run', '-o', 'all.jsonl'],
    { cwd },
  );
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr:
      'Cases: all.jsonl\n' +
      'the saved cases cannot be run as they are: several have the id "a", "b", "c", "d", "e" and 2 others; give each its own\n',
  });
});
