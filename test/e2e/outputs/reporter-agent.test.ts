// An agent as reporter.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, endsIn, folder, outputsIn } from '../support/assay.ts';

const REPORTER = `
import { appendFileSync } from 'node:fs';
export default (messages) => {
  const { report, format, options } = JSON.parse(messages[0].content);
  appendFileSync('calls.txt', format + ' ' + JSON.stringify(options) + '\\n');
  if (report.results.some((result) => result.id === 'silence')) return '';
  if (report.results.some((result) => result.id === 'trouble')) throw new Error('out of ink');
  if (format === 'json') return { total: report.summary.total, ids: report.results.map((result) => result.id) };
  return '<' + format + '>' + report.results.map((result) => result.id + ' ' + result.status + ' ' + result.output).join() + process.env.REPORT_KEY;
};
`;

function application(...ids: string[]): string {
  return folder({
    'app.yao': {},
    'agent.mjs': 'export default (messages) => messages[0].content.toUpperCase();',
    'assistants/press/package.yao': { run: { module: './press.mjs' } },
    'assistants/press/press.mjs': REPORTER,
    '.env': 'REPORT_KEY=!\n',
    'cases.jsonl': ids.map((id) => ({ id, input: id })),
  });
}

const RUN = ['test', '-n', './agent.mjs', '-i', 'cases.jsonl', '-o', 'log.jsonl', '-r'];

test('an agent writes the reports, each in the format of its extension', async () => {
  const cwd = application('one', 'two');
  const outputs = ['-o', 'r.html', '-o', 'r.md', '-o', 'r.json', '-o', 'r.txt'];
  const { exitCode } = await assay([...RUN, 'press', ...outputs], { cwd });
  const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
  expect({
    exitCode,
    html: read('r.html'),
    md: read('r.md'),
    json: read('r.json'),
    txt: read('r.txt'),
  }).toEqual({
    exitCode: 0,
    html: '<html>one passed ONE,two passed TWO!',
    md: '<markdown>one passed ONE,two passed TWO!',
    json: '{\n  "total": 2,\n  "ids": [\n    "one",\n    "two"\n  ]\n}\n',
    txt: '<text>one passed ONE,two passed TWO!',
  });
  expect(callsIn(cwd)[0]).toBe('html {"verbose":false,"include_outputs":true}');
});

test('without -o the report goes to stdout', async () => {
  const cwd = application('one');
  const { exitCode, stdout } = await assay([...RUN, 'agents:press', '-v'], { cwd });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '<text>one passed ONE!\n' });
  expect(callsIn(cwd)).toEqual(['text {"verbose":true,"include_outputs":true}']);
});

test.each([
  ['trouble', 'the reporter press failed: out of ink'],
  ['silence', 'the reporter press failed: it gave no answer'],
])('a reporter in %s loses no results: exit 3', async (id, message) => {
  const cwd = application(id);
  const { exitCode, stderr } = await assay([...RUN, 'press', '-o', 'r.html'], { cwd });
  expect({ exitCode, stderr, ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 3,
    stderr: `${message}\nThe results are in log.jsonl.\n`,
    [id]: 'passed',
  });
  expect(existsSync(join(cwd, 'r.html'))).toBe(false);
});

test('a proven failure stays one, whatever the reporter does', async () => {
  const cwd = application();
  const cases = [{ id: 'trouble', input: 'x', assert: { type: 'equals', value: 'y' } }];
  const { exitCode } = await assay(['test', '-n', './agent.mjs', '-i', '-', '-r', 'press'], {
    cwd,
    input: JSON.stringify(cases[0]),
  });
  expect(exitCode).toBe(1);
});

test('an unknown reporter is found out before anything runs, and answered with the nearest names', async () => {
  const cwd = application('one');
  const built = await assay([...RUN, 'report.markdwn', '-o', 'r.md'], { cwd });
  expect(built).toMatchObject({
    exitCode: 2,
    stderr:
      'unknown reporter "report.markdwn"\n  hint: did you mean "report.markdown"? (the built-in ones are report.html, report.json, report.markdown, report.summary; any other is an agent)\n',
  });
  const agent = await assay([...RUN, 'pres', '-o', 'r.md'], { cwd });
  expect(agent.stderr).toContain('did you mean "press"?');
  expect(existsSync(join(cwd, 'log.jsonl'))).toBe(false);
});

test('assay report asks an agent, too', async () => {
  const cwd = application('one');
  await assay(['test', '-n', './agent.mjs', '-i', 'cases.jsonl', '-o', 'log.jsonl'], { cwd });
  const { exitCode } = await assay(['report', 'log.jsonl', '-r', 'press', '-o', 'r.html'], { cwd });
  expect({ exitCode, html: readFileSync(join(cwd, 'r.html'), 'utf8') }).toEqual({
    exitCode: 0,
    html: '<html>one passed ONE!',
  });
  const unknown = await assay(['report', 'log.jsonl', '-r', 'nobody'], { cwd });
  expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
  expect(unknown.stderr).toContain('unknown reporter "nobody"\n');
});

test('a secret that is found out only while an agent runs is shown nowhere', async () => {
  // Which connector it is, and with it the key, is known to the hook alone.
  const cwd = folder({
    'app.yao': {},
    'connectors/late.conn.yao': { type: 'module', options: { file: './model.mjs', key: '$ENV.LATE_KEY' } },
    'connectors/model.mjs': 'export default () => `the key is ${process.env.LATE_KEY}`;',
    'assistants/leaky/package.yao': { name: 'Leaky' },
    'assistants/leaky/prompts.yml': '- role: system\n  content: Be open.\n',
    'assistants/leaky/src/index.ts': 'function Create() { return { connector: "late" }; }',
    'assistants/leaky/tests/cases.jsonl': [{ id: 'one', input: 'x' }],
  });
  const input = 'assistants/leaky/tests/cases.jsonl';
  const { exitCode, stdout, stderr } = await assay(
    ['test', '-i', input, '-o', 'log.jsonl', '-r', 'leaky', '-o', 'r.md', '-v'],
    { cwd, env: { LATE_KEY: 'sk-very-secret-0815' } },
  );
  const log = readFileSync(join(cwd, 'log.jsonl'), 'utf8');
  const report = readFileSync(join(cwd, 'r.md'), 'utf8');
  expect({ exitCode, report }).toEqual({ exitCode: 0, report: 'the key is ***' });
  expect(outputsIn(join(cwd, 'log.jsonl'))).toEqual({ one: 'the key is ***' });
  expect([stdout, stderr, log].filter((text) => text.includes('sk-very-secret'))).toEqual([]);
});
