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
