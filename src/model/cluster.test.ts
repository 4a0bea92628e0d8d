import { expect, test } from 'vitest';
import { clusterName, groupNamer, parseClusterRule } from './cluster.ts';

test.each([
  ['test', { by: 'test', name: '' }],
  ['tag:template', { by: 'tag', name: 'template' }],
  ['tag:a:b', { by: 'tag', name: 'a:b' }],
  ['variable:Model', { by: 'variable', name: 'Model' }],
  ['tag', undefined],
  ['tag:', undefined],
  ['variable: ', undefined],
  ['case', undefined],
])('%s', (text, rule) => {
  expect(parseClusterRule(text)).toEqual(rule);
});

test('names the group of a case; one without the tag or the variable has none', () => {
  const one = { test_id: 'shop', tags: ['smoke', 'template', 'template:refund'], variables: { Model: 'a' } };
  const name = (text: string): string | undefined => groupNamer({ flags: { cluster: text } })(one);
  expect({
    test: name('test'),
    equal: name('tag:template'),
    other: name('tag:temp'),
    variable: name('variable:Model'),
    inherited: name('variable:constructor'),
  }).toEqual({ test: 'shop', equal: 'template', other: undefined, variable: '"a"', inherited: undefined });
  const late = { ...one, tags: ['template:refund'] };
  expect(clusterName({ by: 'tag', name: 'template' }, late)).toBe('template:refund');
  expect(groupNamer({ flags: {} })(one)).toBe(undefined);
});
