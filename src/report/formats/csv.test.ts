import { expect, test } from 'vitest';
import { csvReport } from './csv.ts';
import {
  mixedRun,
  resultEvent,
  sourceOf,
  startEvent,
  textOfReport,
} from '../../../test/fixtures/logs/agent-log.ts';

const HEAD =
  'test_id,id,status,duration_ms,runs,passed,pass_rate,stability_class,error,tags,variables,input,output,expected,input_tokens,output_tokens,cost_usd';

test('one line a case, skipped ones included', async () => {
  const report = await textOfReport(csvReport(sourceOf(mixedRun())));
  expect(report.split('\r\n')).toEqual([
    HEAD,
    'tests/inputs.jsonl,T001,passed,234,1,1,100,Stable,,smoke,,Extract the keywords,"{""keywords"":[""AI"",""ML""]}",,,,',
    'tests/inputs.jsonl,T002,failed,15,1,0,0,Highly Unstable,"expected ""cloud"" but got ""fog""",,,cloud,fog,cloud,,,',
    'tests/inputs.jsonl,T003,timeout,30000,1,0,0,Highly Unstable,timeout after 30s,,,,,,,,',
    'tests/inputs.jsonl,T004,error,3,1,0,,,connect ECONNREFUSED,,,,,,,,',
    'tests/inputs.jsonl,T005,skipped,,,,,,skip,,,,,,,,',
    '',
  ]);
});

test('no answer becomes a formula, and no cell is too long for a spreadsheet', async () => {
  const events = ['=1+1', '+1', '-1', '@SUM(A1)', 'a\n"b"', 'x'.repeat(40_000)].map((output, at) =>
    resultEvent(`T${String(at)}`, { output, usage: { input_tokens: 3 }, cost_usd: 0.5 }),
  );
  const report = await textOfReport(csvReport(sourceOf([startEvent(), ...events])));
  const outputs = report
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',').slice(12).join(','));
  expect(outputs).toEqual([
    "'=1+1,,3,,0.5",
    "'+1,,3,,0.5",
    "'-1,,3,,0.5",
    "'@SUM(A1),,3,,0.5",
    '"a\n""b""",,3,,0.5',
    `${'x'.repeat(32_000)},,3,,0.5`,
  ]);
});

test('control characters are spelled out in every cell; line breaks and tabs stay', async () => {
  const hostile = 'a\x1b]0;t\x07\b\x7f\x9b\0\u202e\rz\r\nb\tc';
  const event = resultEvent('T\x1b1', {
    output: hostile,
    error: '\x1b[2J',
    tags: ['\x07'],
    input: 'a\x7f',
  });
  const report = await textOfReport(csvReport(sourceOf([startEvent(), event])));
  // oxlint-disable-next-line no-control-regex
  expect(report).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202e]/);
  expect(report).toContain(String.raw`a\x1b]0;t\x07\x08\x7f\x9b\x00\u202e\rz` + '\nb\tc"');
  expect(report).toContain(String.raw`T\x1b1`);
});
