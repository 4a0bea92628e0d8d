// Whatever a file changes in the modules and globals of Node, the next file in the same worker does not see it.

import { builtinModules } from 'node:module';
import { expect, test } from 'vitest';
import { application, ends, logsIn, runScripts } from '../support/script-files.ts';

/** Finds everything that is reachable from a value: properties, getters, prototypes of classes. */
const WALK = `
const { ownKeys } = Reflect;
const { hasOwn } = Object;
const MARK = Symbol.for('mark');
const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
const read = (object, key) => {
  try {
    const value = object[key];
    if (value instanceof Promise) value.catch(() => {});
    return value;
  } catch {}
};
function walk(start) {
  const found = new Map();
  const visit = (object, path, left) => {
    if (!isObject(object) || found.has(object)) return;
    found.set(object, path);
    if (left > 0) for (const key of ownKeys(object)) visit(read(object, key), path + '.' + String(key), left - 1);
  };
  visit(start, '', 3);
  return found;
}
`;
const ADD = 'for (const object of found) { try { object[MARK] = true; } catch {} }';
const REPLACE = `${ADD}
  const mark = Object.assign(function mark() {}, { [MARK]: true });
  for (let at = 0; at < found.length; at++) {
    const keys = ownKeys(found[at]);
    for (let each = 0; each < keys.length; each++) if (keys[each] !== MARK) try { found[at][keys[each]] = mark; } catch {}
  }`;

const changing = (value: string, change: string): string => `${WALK}
export function TestChanges(t) {
  t.log(process.pid);
  const found = [...walk(${value}).keys()];
  ${change}
}`;
const looking = (value: string): string => `${WALK}
export function TestLooks(t) {
  t.log(process.pid);
  const seen = [];
  for (const [object, path] of walk(${value})) {
    if (hasOwn(object, MARK)) seen.push(path);
    for (const key of ownKeys(object)) if (isObject(read(object, key)) && hasOwn(read(object, key), MARK)) seen.push(path + '.' + String(key));
  }
  t.assert.Equal(seen, []);
}`;

/** Files that require one of these have a process of their own. */
const ALONE = new Set(['assert', 'assert/strict', 'diagnostics_channel', 'module', 'test', 'test/reporters']);
const MODULES = builtinModules.filter((name) => !name.startsWith('_') && name !== 'trace_events');
const VALUES = Object.fromEntries([
  ...MODULES.map((name) => [name.replaceAll('/', '-'), `require('node:${name}')`]),
  ['globals', 'globalThis'],
]) as Record<string, string>;

test.each([
  ['additions to', ADD],
  ['replacements of', REPLACE],
])('%s everything that is reachable', { timeout: 60_000 }, async (_name, change) => {
  const files = Object.entries(VALUES).flatMap(([name, value]) => [
    [`${name}-1_test.js`, changing(value, change)],
    [`${name}-2_test.js`, looking(value)],
  ]);
  const cwd = application(Object.fromEntries(files) as Record<string, string>);
  await runScripts(cwd, ['--parallel', '1']);
  const looked = Object.entries(ends(cwd)).filter(([name]) => name.endsWith('TestLooks'));
  expect(looked.filter(([, end]) => end !== 'passed')).toEqual([]);
  expect(looked).toHaveLength(Object.keys(VALUES).length);

  const logs = logsIn(cwd);
  const isApart = (name: string): boolean =>
    logs[`${name}-1 TestChanges`]?.[0] !== logs[`${name}-2 TestLooks`]?.[0];
  const apart = MODULES.filter((name) => isApart(name.replaceAll('/', '-')));
  expect(new Set(apart)).toEqual(new Set(MODULES.filter((name) => ALONE.has(name))));
});

test('promises of modules, frozen classes, and modules that the process hands out', async () => {
  const look = `
    import { EventEmitter } from 'node:events';
    import fs from 'node:fs';
    import stream from 'node:stream';
    import timers from 'node:timers';
    import * as rest from 'node:timers/promises';
    const seen = () => [typeof rest.setTimeout, rest.left ?? rest.default?.left, timers.promises.left, typeof stream.promises.pipeline, stream.promises.left,
      Object.isFrozen(EventEmitter.prototype), Object.isSealed(fs.ReadStream), process.getBuiltinModule('fs').left, process.getBuiltinModule('node:os').left];
  `;
  const change = (code: string): string => `${look}
    export function TestChanges(t) { ${code} t.log(JSON.stringify(seen())); }`;
  const cwd = application({
    'a_test.js': change(
      `(rest.default ?? rest).left = timers.promises.left = stream.promises.left = 1; stream.promises.pipeline = 1; process.getBuiltinModule('fs').left = process.getBuiltinModule('node:os').left = 1;`,
    ),
    'b_test.js': `${look}\nexport function TestLooks(t) { t.log(JSON.stringify(seen())); }`,
    'c_test.js': change('Object.freeze(EventEmitter.prototype); Object.seal(fs.ReadStream);'),
    'd_test.js': `${look}\nexport function TestLooks(t) { t.log(JSON.stringify(seen())); }`,
  });
  await runScripts(cwd, ['--parallel', '1']);
  const asEver = ['function', null, null, 'function', null, false, false, null, null];
  const seen = Object.entries(logsIn(cwd)).map(([name, [line = '']]) => [name, JSON.parse(line)]);
  expect(Object.fromEntries(seen)).toEqual({
    'a TestChanges': ['function', 1, 1, 'number', 1, false, false, 1, 1],
    'b TestLooks': asEver,
    'c TestChanges': asEver.with(5, true).with(6, true),
    'd TestLooks': asEver,
  });
});
