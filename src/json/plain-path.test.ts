import { expect, test } from 'vitest';
import { followPath, parsePlainPath } from './plain-path.ts';

test.each<[string, (string | number)[] | undefined]>([
  ['field', ['field']],
  ['field.sub', ['field', 'sub']],
  ['$.a.b', ['a', 'b']],
  ['$', []],
  ['items[0].name', ['items', 0, 'name']],
  ['$.items[-1]', ['items', -1]],
  ['[2]', [2]],
  ["$['a b'].c", ['a b', 'c']],
  ['$["a.b"]', ['a.b']],
  ['größe.ключ', ['größe', 'ключ']],
  ['need-search.x_1', ['need-search', 'x_1']],
  ['items.0', ['items', '0']],
  ['', undefined],
  ['.a', undefined],
  ['$a', undefined],
  ['a..b', undefined],
  ['$..a', undefined],
  ['a[*]', undefined],
  ['a[1:2]', undefined],
  ['a[?@.b]', undefined],
  ['a.', undefined],
  ["a['it\\'s']", undefined],
])('reads %j', (path, expected) => {
  expect(parsePlainPath(path)).toEqual(expected);
});

const root = { a: { b: null }, items: [{ n: 1 }, { n: 2 }], '0': 'zero' };

test.each<[(string | number)[], unknown]>([
  [[], { value: root }],
  [['a', 'b'], { value: null }],
  [['items', -1, 'n'], { value: 2 }],
  [['items', '0', 'n'], { value: 1 }],
  [['0'], { value: 'zero' }],
  [['a', 'c'], { parent: { b: null }, missing: 'c' }],
  [['a', 'b', 'c'], { parent: null, missing: 'c' }],
  [['items', 5], { parent: root.items, missing: 5 }],
  [['items', 'length'], { parent: root.items, missing: 'length' }],
  [['constructor'], { parent: root, missing: 'constructor' }],
])('follows %j', (path, expected) => {
  expect(followPath(root, path)).toEqual(expected);
});
