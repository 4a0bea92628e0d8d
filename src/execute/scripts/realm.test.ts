import { readFileSync } from 'node:fs';
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createRealm } from './realm.ts';

const exit = (code: unknown): never => {
  throw new Error(`exit ${String(code)}`);
};

function run(code: string): unknown {
  const realm = createRealm({ exit, root: '/' });
  try {
    return realm.run(`exports.value = (() => { ${code} })();`, '/test.js')['value'];
  } finally {
    realm.close();
  }
}

test('has the globals of Node', () => {
  const names = [
    'Buffer',
    'URL',
    'fetch',
    'process',
    'console',
    'structuredClone',
    'setTimeout',
    'AbortController',
    'performance',
    'crypto',
    'queueMicrotask',
    'TextEncoder',
    'global',
    'http',
    'log',
    'Exception',
  ];
  expect(
    run(`return ${JSON.stringify(names)}.filter((name) => typeof globalThis[name] === 'undefined')`),
  ).toEqual([]);
});

test('knows what comes from outside by its class', () => {
  expect(
    run(`
      const fs = require('node:fs');
      let thrown; try { fs.readFileSync('/none'); } catch (error) { thrown = error; }
      class Own extends Error {}
      return [thrown instanceof Error, thrown instanceof TypeError, Buffer.from('') instanceof Uint8Array, fs.readdirSync('/') instanceof Array,
        new Own() instanceof Own, new Own() instanceof Error, thrown instanceof Own, [] instanceof Array, {} instanceof Object].map(Number).join('');
    `),
  ).toBe('101111011');
});

test.each([
  [
    'globals',
    'globalThis.left = 1; Array.prototype.left = 1; setTimeout = null;',
    'return [typeof left, [].left, typeof setTimeout]',
    ['undefined', undefined, 'function'],
  ],
  ['the environment', 'process.env.LEFT = 1;', 'return process.env.LEFT', undefined],
  [
    'modules of Node',
    `require('fs').readFileSync = 1; require('fs').promises.readFile = 1; require('node:path').posix.join = 1;`,
    `return [typeof require('fs').readFileSync, typeof require('fs').promises.readFile, typeof require('path').posix.join]`,
    ['function', 'function', 'function'],
  ],
  [
    'classes of Node',
    `require('events').prototype.emit = 1; Buffer.prototype.left = 1; URL.prototype.toString = 1; require('stream').Readable.prototype.left = 1;`,
    `return [typeof require('events').prototype.emit, Buffer.from('').left, typeof new URL('http://a').toString, require('stream').Readable.prototype.left]`,
    ['function', undefined, 'function', undefined],
  ],
  ['listeners', `process.on('warning', () => {});`, `return process.listenerCount('warning')`, 0],
  ['the console', 'console.log = null;', 'return typeof console.log', 'function'],
])('%s of one realm do not reach another, nor the process around them', (_, change, look, expected) => {
  const before = [
    typeof readFileSync,
    typeof EventEmitter.prototype.emit,
    process.env['LEFT'],
    process.listenerCount('warning'),
  ];
  run(change);
  expect(run(look)).toEqual(expected);
  expect([
    typeof readFileSync,
    typeof EventEmitter.prototype.emit,
    process.env['LEFT'],
    process.listenerCount('warning'),
  ]).toEqual(before);
});

test('process.exit and process.env behave as they do elsewhere', () => {
  expect(() => run('process.exit(3)')).toThrow('exit 3');
  expect(
    run(
      `process.env.A = 1; process.env.B = undefined; delete process.env.B; return [process.env.A, 'B' in process.env, process.cwd()]`,
    ),
  ).toEqual(['1', false, process.cwd()]);
});

test('timers end with it', async () => {
  const realm = createRealm({ exit, root: '/' });
  const fired: string[] = [];
  realm.global['fired'] = fired;
  realm.run(
    `setTimeout(() => fired.push('soon'), 1); setInterval(() => fired.push('again'), 5); setTimeout(() => fired.push('late'), 30);`,
    '/t.js',
  );
  expect(realm.timers.arePending()).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 12));
  realm.close();
  const count = fired.length;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([
    fired.includes('soon'),
    fired.includes('late'),
    fired.length === count,
    realm.timers.arePending(),
  ]).toEqual([true, false, true, false]);
});
