import { readFileSync } from 'node:fs';
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createRealm } from './realm.ts';
import { until } from '../../../../test/until.ts';

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
  [
    'objects in modules of Node',
    `const http = require('http'); http.globalAgent.maxSockets = 7; http.globalAgent.left = 1; http.METHODS.push('LEFT'); http.STATUS_CODES[200] = 'left';
     require('https').globalAgent.left = 1; require('os').constants.signals.SIGLEFT = 1; require('os').constants.left = 1; require('path').win32.join = 1;`,
    `const http = require('http'); const { constants } = require('os'); const path = require('path');
     return [http.globalAgent.maxSockets, http.globalAgent.left, http.METHODS.includes('LEFT'), http.STATUS_CODES[200], require('https').globalAgent.left,
       constants.signals.SIGLEFT, constants.left, typeof path.win32.join, path.posix === path]`,
    [Infinity, undefined, false, 'OK', undefined, undefined, undefined, 'function', true],
  ],
  [
    'an agent that takes the place of the global one',
    `const http = require('http'); http.globalAgent = new http.Agent({ maxSockets: 3 }); const https = require('https'); https.globalAgent = new https.Agent({ maxSockets: 3 });`,
    `return [require('http').globalAgent.maxSockets, require('https').globalAgent.maxSockets, require('http').globalAgent.keepAlive]`,
    [Infinity, Infinity, true],
  ],
  [
    'settings of Node',
    `const util = require('util'); util.inspect.defaultOptions.depth = 0; util.inspect.defaultOptions = { compact: false }; util.inspect.styles.number = 'left';
     util.inspect.colors.left = [1, 2]; require('events').defaultMaxListeners = 99; require('buffer').INSPECT_MAX_BYTES = 1; Buffer.poolSize = 1;`,
    `const { inspect } = require('util');
     return [inspect.defaultOptions.depth, inspect.defaultOptions.compact, inspect.styles.number, inspect.colors.left, require('events').defaultMaxListeners,
       require('buffer').INSPECT_MAX_BYTES, Buffer.poolSize]`,
    [2, 3, 'yellow', undefined, 10, 50, 8192],
  ],
  [
    'parts of process',
    `process.versions.node = 'left'; process.release.name = 'left'; process.title = 'left'; process.features.left = 1;`,
    `return [process.versions.node, process.release.name, process.title === 'left', process.features.left]`,
    [process.versions.node, 'node', false, undefined],
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

test('requests without an agent take the one that was set', () => {
  const asked = run(`
    const http = require('http');
    let asked = 0;
    class Counting extends http.Agent { addRequest(request) { asked += 1; request.on('error', () => {}); request.destroy(); } }
    http.globalAgent = new Counting();
    http.get('http://127.0.0.1:1/');
    return asked;
  `);
  expect(asked).toBe(1);
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
    `setTimeout(() => fired.push('soon'), 1); setInterval(() => fired.push('again'), 5); setTimeout(() => fired.push('late'), 60_000);`,
    '/t.js',
  );
  expect(realm.timers.arePending()).toBe(true);
  await until(() => fired.includes('soon') && fired.includes('again'));
  realm.close();
  const count = fired.length;
  // Time for ten more turns of the interval, if it still ran.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([fired.length === count, realm.timers.arePending()]).toEqual([true, false]);
});
