import { expect, test } from 'vitest';
import { createRedactor } from './redact.ts';

function redacted(secrets: string[], event: object): unknown {
  const redactor = createRedactor(secrets);
  return redactor.mayHold(JSON.stringify(event)) ? redactor.redact(event) : 'untouched';
}

test('replaces a secret in every form it takes in a text', () => {
  const secret = 'pa"ss/wörd+1';
  const event = {
    error: `Bearer ${secret}`,
    stack: `http://x/?key=${encodeURIComponent(secret)}`,
    logs: [JSON.stringify({ secret }), 'safe'],
  };
  expect(redacted([secret], event)).toEqual({
    error: 'Bearer ***',
    stack: 'http://x/?key=***',
    logs: ['{"secret":"***"}', 'safe'],
  });
});

test('finds a secret that JSON writes with escapes, however deep', () => {
  const secret = 'pa"ss\\wörd';
  expect(redacted([secret], { logs: [JSON.stringify({ secret })] })).toEqual({ logs: ['{"secret":"***"}'] });
});

test('replaces the longer of two secrets whole', () => {
  expect(redacted(['sk-12345', 'sk-12345-extended'], { error: 'a sk-12345-extended b sk-12345' })).toEqual({
    error: 'a *** b ***',
  });
});

test('does not touch an event without a secret', () => {
  expect(redacted(['sk-12345'], { error: 'sk-1234' })).toBe('untouched');
  expect(redacted([], { error: 'sk-1234' })).toBe('untouched');
});

test('an escape of JSON is no part of a secret', () => {
  expect(redacted(['nopasswo'], { output: 'hello\nopassword', error: 'nopassword' })).toEqual({
    output: 'hello\nopassword',
    error: '***rd',
  });
});

test('numbers, truth values and keys of what users say are replaced, those of the event are not', () => {
  const event = {
    type: 'result',
    key: 'ab12345678',
    run: 12345678,
    duration_ms: 12345678,
    output: { n: 12345678, 'x-12345678': [1, true, null] },
    expected: 12345678,
    usage: { input_tokens: 12345678 },
    verdicts: [{ type: 'equals', status: 'failed', actual: 12345678.5, message: '12345678 is wrong' }],
    tool_calls: [{ name: 'f', arguments: { pin: 12345678 }, duration_ms: 12345678 }],
  };
  expect(redacted(['12345678'], event)).toEqual({
    type: 'result',
    key: 'ab12345678',
    run: 12345678,
    duration_ms: 12345678,
    output: { n: '***', 'x-***': [1, true, null] },
    expected: '***',
    usage: { input_tokens: 12345678 },
    verdicts: [{ type: 'equals', status: 'failed', actual: '***', message: '*** is wrong' }],
    tool_calls: [{ name: 'f', arguments: { pin: '***' }, duration_ms: 12345678 }],
  });
});

test('a secret that is the name of a field renames nothing', () => {
  const event = {
    duration_ms: 5,
    flags: { duration_ms: 1 },
    output: { duration_ms: 5 },
    error: 'duration_ms',
  };
  expect(redacted(['duration_ms'], event)).toEqual({
    duration_ms: 5,
    flags: { duration_ms: 1 },
    output: { '***': 5 },
    error: '***',
  });
});

test('takes up secrets that are found out later', () => {
  const redactor = createRedactor(['sk-12345']);
  const event = { error: 'sk-12345 and sk-67890' };
  expect(redactor.redact(event)).toEqual({ error: '*** and sk-67890' });
  redactor.learn(['sk-67890']);
  expect(redactor.mayHold('sk-67890')).toBe(true);
  expect(redactor.redact(event)).toEqual({ error: '*** and ***' });
  expect(redactor.text('a sk-67890 b')).toBe('a *** b');
});

test('what is left of a secret at a cut is hidden too', () => {
  const { text, mayHold } = createRedactor(['sk-1234567890abcdef']);
  expect(text('your key sk-1234567890abc … (900 characters)')).toBe('your key *** … (900 characters)');
  expect(text('your key sk-1234567890abc')).toBe('your key ***');
  expect(text('67890abcdef is the end')).toBe('*** is the end');
  expect(text('sk-12345 is shorter, sk-1234567890 goes on')).toBe(
    'sk-12345 is shorter, sk-1234567890 goes on',
  );
  expect([mayHold('"sk-12345"'), mayHold('"90abcdef"'), mayHold('"sk-123"')]).toEqual([true, true, false]);
});
