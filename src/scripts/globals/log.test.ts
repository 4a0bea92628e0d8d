import { afterEach, expect, test } from 'vitest';
import { Exception } from './exception.ts';
import { log } from './log.ts';

const original = { ...console };
afterEach(() => void Object.assign(console, original));

/** What is printed, with the method of the console that printed it. */
function printed(act: () => void): unknown[][] {
  const lines: unknown[][] = [];
  for (const method of ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const) {
    console[method] = (...values: unknown[]) => void lines.push([method, ...values]);
  }
  act();
  Object.assign(console, original);
  return lines;
}

test('every level goes to the console with its name in front', () => {
  const levels = ['Trace', 'Debug', 'Info', 'Warn', 'Error', 'Fatal', 'Panic'];
  expect(printed(() => levels.forEach((level) => log[level]?.('x')))).toEqual([
    ['debug', '[trace] x'],
    ['debug', '[debug] x'],
    ['info', '[info] x'],
    ['warn', '[warn] x'],
    ['error', '[error] x'],
    ['error', '[fatal] x'],
    ['error', '[panic] x'],
  ]);
});

test.each<[unknown[], string]>([
  [['%s has %d of %v', 'Ann', 2, { a: [1] }], 'Ann has 2 of { a: [ 1 ] }'],
  [
    ['%+v %5.2f %f %q %t %j', 'x', 1.005, 2, 'quoted', true, { a: 1 }],
    'x 1.00 2.000000 "quoted" true {"a":1}',
  ],
  [['100%% of %s', 'it'], '100% of it'],
  [['100% %s'], '100% %s'],
  [['value:', { a: 1 }, 'text', null, undefined], 'value: { a: 1 } text null undefined'],
  [[{ a: 1 }, 2], '{ a: 1 } 2'],
  [[], 'undefined'],
])('formats %j', (values, text) => {
  expect(printed(() => log['Info']?.(...(values as [unknown])))).toEqual([['info', `[info] ${text}`]]);
});

test('an exception is an error with a code', () => {
  const error = new Exception('not allowed', 403);
  expect([error instanceof Error, String(error), error.code]).toEqual([true, 'Exception: not allowed', 403]);
  expect(new Exception('broken').code).toBe(500);
});
