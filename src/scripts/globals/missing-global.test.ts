import { runInThisContext } from 'node:vm';
import { expect, test } from 'vitest';
import { explainMissingGlobal } from './missing-global.ts';

const PROVIDED = 'Assay provides Process, http, log, console, Exception and ctx.memory to scripts';

/** What a script that uses a free name throws. */
function thrownBy(code: string): unknown {
  try {
    return runInThisContext(code, { displayErrors: false });
  } catch (error) {
    return error;
  }
}

test.each(['Query', 'Store', 'fs', 'time', '$L', 'MyOwnThing'])('names %s and what there is', (name) => {
  const error = thrownBy(`${name}.Get("x")`) as ReferenceError;
  const frames = error.stack?.split('\n').slice(1);
  expect(explainMissingGlobal(error)).toBe(error);
  expect(error.message).toBe(`${name} is not defined: ${PROVIDED}`);
  expect(error.stack?.split('\n')).toEqual([
    `ReferenceError: ${name} is not defined: ${PROVIDED}`,
    ...(frames ?? []),
  ]);
});

test('leaves every other error as it is, and explains one only once', () => {
  const typo = thrownBy('cuont + 1') as ReferenceError;
  const early = thrownBy('Early; let Early = 1') as ReferenceError;
  const frozen = Object.freeze(thrownBy('Query()')) as ReferenceError;
  const messages = [typo, early, frozen].map((error) => (explainMissingGlobal(error) as Error).message);
  expect(messages).toEqual([
    'cuont is not defined',
    "Cannot access 'Early' before initialization",
    'Query is not defined',
  ]);
  expect(explainMissingGlobal('Query is not defined')).toBe('Query is not defined');
  const twice = explainMissingGlobal(explainMissingGlobal(thrownBy('Query()'))) as Error;
  expect(twice.message).toBe(`Query is not defined: ${PROVIDED}`);
});
