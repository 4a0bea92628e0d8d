// Hints for members that `t` and `t.mock` lack but that Go's testing, node:test, vitest or tap have.

import { editsBetween } from '../../../text/nearest.ts';
import { assertionFor } from './assertions/assertion-aliases.ts';

const MEMBERS = [
  'assert',
  'cleanup',
  'error',
  'fail',
  'failed',
  'fatal',
  'log',
  'mock',
  'name',
  'run',
  'skip',
  'tempDir',
];
const MOCKS = ['fetch', 'fn', 'getter', 'method', 'module', 'reset', 'restoreAll', 'setter', 'timers'];
const PROPERTIES = new Set(['failed', 'name']);
/** Shorter names are too close to each other to guess; a test may also keep a property of its own on `t`. */
const MIN_MISTYPED = 4;

const HOOKS = 'write a function BeforeEach or AfterEach in the file';

/** By lower-case name: the member to use instead, or a sentence with advice. */
const T_HINTS: Record<string, string> = {
  after: 'cleanup',
  aftereach: HOOKS,
  before: HOOKS,
  beforeeach: HOOKS,
  comment: 'log',
  deadline: 'ctx.signal aborts when the time is up',
  describe: 'run',
  diagnostic: 'log',
  end: 'a test ends when its function does: leave it out',
  errorf: 'error',
  expect: 'assert',
  failnow: 'fatal',
  fatalf: 'fatal',
  helper: 'it is not needed: leave it out',
  it: 'run',
  logf: 'log',
  ontestfinished: 'cleanup',
  parallel: 'the tests of a file run in order, and files at the same time (--parallel)',
  pass: 'a test that does not fail passes: leave it out',
  plan: 'compare a count with t.assert.Equal',
  require: 'use t.assert, and t.fatal to stop: if (!t.assert.NotNil(x)) t.fatal()',
  setenv: 'set process.env and put it back in t.cleanup; other files do not see it',
  skipf: 'skip',
  skipnow: 'skip',
  subtest: 'run',
  teardown: 'cleanup',
  test: 'run',
  todo: 'skip',
};

const MOCK_HINTS: Record<string, string> = {
  advancetimersbytime: 'timers.tick',
  clearallmocks: 'restoreAll',
  domock: 'module',
  mock: 'module',
  mocked: 'fn',
  object: 'method',
  property: 'getter',
  replace: 'method',
  resetallmocks: 'restoreAll',
  restore: 'restoreAll',
  restoreallmocks: 'restoreAll',
  runalltimers: 'timers.runAll',
  setsystemtime: 'timers.setTime',
  spy: 'method',
  spyon: 'method',
  stub: 'method',
  stubglobal: 'method',
  tick: 'timers.tick',
  usefaketimers: 'timers.enable',
  userealtimers: 'timers.reset',
};

/** Explains what to use instead of a member that `t` does not have; undefined without a good guess. */
export function explainMember(name: string): string | undefined {
  const assertion = assertionFor(name);
  const advice =
    adviceFor(name, 't', T_HINTS, MEMBERS) ??
    (assertion === undefined ? undefined : `did you mean t.assert.${assertion}?`);
  return advice === undefined ? undefined : `t.${name} is not part of t; ${advice}`;
}

/** The same for `t.mock`. */
export function explainMock(name: string): string | undefined {
  const advice = adviceFor(name, 't.mock', MOCK_HINTS, MOCKS);
  return advice === undefined ? undefined : `t.mock.${name} is not part of t.mock; ${advice}`;
}

function adviceFor(
  name: string,
  owner: string,
  hints: Record<string, string>,
  members: readonly string[],
): string | undefined {
  const lower = name.toLowerCase();
  const hint = Object.hasOwn(hints, lower) ? hints[lower] : undefined;
  if (hint?.includes(' ') === true) return hint;
  const meant = hint ?? members.find((member) => isMeant(lower, member.toLowerCase()));
  if (meant === undefined) return undefined;
  return `did you mean ${owner}.${meant}${PROPERTIES.has(meant) ? ', which is a property' : ''}?`;
}

function isMeant(lower: string, member: string): boolean {
  if (lower === member) return true;
  return Math.min(lower.length, member.length) >= MIN_MISTYPED && editsBetween(lower, member) === 1;
}
