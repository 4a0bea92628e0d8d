import { expect, test } from 'vitest';
import type { FinishedCheck } from '../../agents/command/run-check.ts';
import { readCheck } from './read-check.ts';

const read = (finished: Partial<FinishedCheck>, threshold?: number) =>
  readCheck('/bin/check', { code: 0, signal: null, stdout: '', stderr: [], ...finished }, threshold);

test('exit code 0 passes and 1 fails, with the last line as the message', () => {
  expect(read({ stdout: 'fine\n' })).toEqual({ pass: true });
  expect(read({ code: 1 })).toEqual({ pass: false });
  expect(read({ code: 1, stdout: 'looking\n too short \n\n', stderr: ['debug'] })).toEqual({
    pass: false,
    message: 'too short',
  });
  expect(read({ code: 1, stderr: ['one', 'two', ''] })).toEqual({ pass: false, message: 'two' });
});

test('a judgement is all that is printed, or its last line', () => {
  expect(read({ stdout: '{\n  "pass": true,\n  "score": 0.5\n}\n' })).toEqual({ pass: true, score: 0.5 });
  expect(read({ stdout: 'looking…\n{"pass": false, "message": "rude"}\n' })).toEqual({
    pass: false,
    message: 'rude',
  });
  expect(read({ code: 1, stdout: '{"pass": false}' })).toEqual({ pass: false });
  expect(read({ stdout: '{"score": 0.4}' }, 0.5)).toEqual({
    pass: false,
    score: 0.4,
    message: 'score 0.4, wanted 0.5',
  });
});

test.each<[string, string]>([
  ['over several lines behind a log line', 'log line\n{\n "pass": false\n}\n'],
  ['with inner objects and brackets in texts', 'log {\n{"a": {\r\n"b": "}]{\\""},\r\n"pass": false}'],
  ['behind a carriage return', 'half\rdone\r{"pass": false}'],
  ['as a boolean', 'false'],
  ['as a boolean behind a log line', 'log line\nfalse\n'],
])('a judgement counts %s', (_name, stdout) => {
  expect(read({ stdout })).toEqual({ pass: false });
});

test('a number is a score', () => {
  expect(read({ stdout: 'log line\n0.9\n' }, 0.8)).toEqual({ pass: true, score: 0.9 });
  expect(read({ stdout: '0.1' }, 0.8)).toEqual({ pass: false, score: 0.1, message: 'score 0.1, wanted 0.8' });
});

test.each([
  'fine',
  '[INFO] done',
  '[ok]',
  '"a" and "b"',
  'checked }',
  '2026-01-01',
  'pass: true',
  'rules: {"a": 1}',
])('plain words pass with exit code 0: %s', (stdout) => {
  expect(read({ stdout })).toEqual({ pass: true });
});

const FORMS = 'but it must be true, false, a score from 0 to 1 or {pass, score, message}';

test.each([
  ['[{"pass": false}]', `[{"pass":false}], ${FORMS}`],
  ['log line\n[\n  {"pass": false}\n]', `[{"pass":false}], ${FORMS}`],
  ['"pass"', `"pass", ${FORMS}`],
  ['null', `null, ${FORMS}`],
  ['0.1', '0.1, but a score decides only with a "threshold"; add one to the assertion'],
  ['log line\n-3', '-3, but "score" must be a number from 0 to 1'],
  ['False', '"False", which is not readable as JSON'],
  ['None', '"None", which is not readable as JSON'],
  ['.5', '".5", which is not readable as JSON'],
  ['NaN', '"NaN", which is not readable as JSON'],
  ["{'pass': False}", `"{'pass': False}", which is not readable as JSON`],
  ['log line\n{\n "pass": fal', '"{\\n \\"pass\\": fal", which is not readable as JSON'],
  ['log line\n{\n pass: false\n}', '"{\\n pass: false\\n}", which is not readable as JSON'],
  [
    'log line\n{"pass": false}\ndone',
    '"\\"pass\\": false", but exited with code 0: print the judgement on the last line, by itself',
  ],
  [
    'result: {\n "passed": false\n}',
    '"\\"passed\\": false", but exited with code 0: print the judgement on the last line, by itself',
  ],
  [
    "[{'pass': False}]",
    `"'pass': False", but exited with code 0: print the judgement on the last line, by itself`,
  ],
])('the unclear output %j is an error with exit code 0', (stdout, problem) => {
  expect(() => read({ stdout })).toThrow(new Error(`check printed ${problem}`));
});

test('many lines with brackets take linear time', () => {
  const stdout = `${'}\n'.repeat(1_000_000)}fine`;
  expect(read({ stdout })).toEqual({ pass: true });
});

test.each<[Partial<FinishedCheck>, string, number?]>([
  [
    { code: 2, stderr: ['usage: check'] },
    'check exited with code 2, but must exit with 0 if the answer passes and 1 if it fails: usage: check',
  ],
  [{ code: null, signal: 'SIGKILL' }, 'check was ended by SIGKILL'],
  [
    { code: 2, stdout: '{"pass": true}' },
    'check exited with code 2, but must exit with 0 if the answer passes and 1 if it fails',
  ],
  [{ code: 1, stdout: '{"pass": true}' }, 'check printed a judgement that passes, but exited with code 1'],
  [{ stdout: '{"pass": tru' }, 'check printed "{\\"pass\\": tru", which is not readable as JSON'],
  [{ stdout: 'x\n{"score": NaN}' }, 'check printed "{\\"score\\": NaN}", which is not readable as JSON'],
  [
    { stdout: '{"ok": true}' },
    'check printed {"ok":true}, but it must be true, false, a score from 0 to 1 or {pass, score, message}',
  ],
  [{ stdout: 'fine' }, 'check printed no {pass, score, message} as JSON, but "threshold" needs a score', 0.5],
  [
    { code: 1, stderr: ['Traceback (most recent call last):', '  File "check.py"', 'KeyError: 1'] },
    'check ended with an error that it did not catch: KeyError: 1',
  ],
  [
    { code: 1, stderr: ['TypeError: x', '    at check.mjs:1', '', 'Node.js v20.19.0'] },
    'check ended with an error that it did not catch: TypeError: x',
  ],
])('%j is no judgement', (finished, problem, threshold) => {
  expect(() => read(finished, threshold)).toThrow(new Error(problem));
});
