import { expect, test } from 'vitest';
import { earlierValues } from './earlier-values.ts';

const resolved_variables = {
  values: { Language: 'fr', Count: 3, Loud: false, Since: '2026-01-31', ApiKey: '***' },
  sources: { Language: 'run', Count: 'run', Loud: 'run', Since: 'type', ApiKey: 'run' },
};

test('a run begins again with what it was given itself, but for secrets', () => {
  expect(
    earlierValues({ resolved_variables, flags: { runs: 3, definition: { untyped: ['name'] } } }),
  ).toEqual({ texts: { Language: 'fr', Count: '3', Loud: 'false' }, runs: '3' });
});

test('a number of runs that nobody typed is left to tests and settings', () => {
  const flags = { runs: 1, definition: { untyped: ['runs'] } };
  expect(earlierValues({ resolved_variables: null, flags })).toEqual({ texts: {}, runs: '' });
  expect(earlierValues({ resolved_variables: null, flags: { runs: 1 } })).toEqual({ texts: {}, runs: '' });
});
