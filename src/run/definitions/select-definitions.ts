// Which tests are meant: by ids, patterns and tags, or by a suite.

import type { Defined } from '../../definitions/read-definitions.ts';
import { typeOf } from '../../definitions/read-definitions.ts';
import { selectTests } from '../../definitions/select-tests.ts';
import type { Problem } from '../../errors.ts';
import { ConfigError } from '../../errors.ts';
import type { SuiteDefinition, TestDefinition } from '../../model/definition.ts';
import { nearest } from '../../text/nearest.ts';
import { quote } from '../../text/quote.ts';
import type { ApplicationDefinitions } from './application-definitions.ts';
import { programName } from '../../platform/how-started.ts';

/** Tests by ids, patterns and tags, or a suite by its id. */
export type Selection = { tests: string[] } | { suite: string };

export type ChosenTests = { tests: Defined<TestDefinition>[]; suite?: Defined<SuiteDefinition> };

const NO_TESTS = 'there are no tests: they are files like tests/<id>.test.json below the application';

/** Each test once, in the order asked for. Problems in other definitions are only a warning. */
export function chooseTests(
  selection: Selection,
  application: ApplicationDefinitions,
  warn: (text: string) => void,
): ChosenTests {
  const { definitions, problems } = application;
  const chosen =
    'suite' in selection ? ofSuite(selection.suite, application) : ofNames(selection.tests, application);
  const used = [...chosen.tests, ...(chosen.suite === undefined ? [] : [chosen.suite])].map(({ at }) => at);
  for (const test of chosen.tests) used.push(typeOf(definitions, test)?.at ?? '');
  const own = problems.filter(({ at = '' }) => used.some((file) => at.startsWith(`${file}:`)));
  if (own.length > 0) throw ConfigError.of(own);
  if (problems.length > 0)
    warn(`${String(problems.length)} problems in other definitions; ${programName()} validate lists them`);
  return chosen;
}

function ofSuite(id: string, { definitions, problems }: ApplicationDefinitions): ChosenTests {
  const suite = definitions.suites.find((one) => one.id === id);
  if (suite === undefined) {
    const ids = definitions.suites.map((one) => one.id);
    if (definitions.tests.some((test) => test.id === id))
      throw new ConfigError(`no suite ${quote(id)}`, { hint: `it is a test: ${programName()} run ${id}` });
    throw notFound(`no suite ${quote(id)}`, id, ids, { problems, word: 'suites' });
  }
  const tests = suite.tests.flatMap((wanted) => selectTests(definitions.tests, wanted).tests);
  return { tests: [...new Set(tests)], suite };
}

function ofNames(names: readonly string[], { definitions, problems }: ApplicationDefinitions): ChosenTests {
  const ids = definitions.tests.map((one) => one.id);
  const wrong: Problem[] = [];
  const tests = names.flatMap((name) => {
    const selected = selectTests(definitions.tests, name);
    if (selected.tests.length > 0) return selected.tests;
    const isSuite = definitions.suites.some(({ id }) => id === name);
    const hint = isSuite ? `it is a suite: ${programName()} suite ${name}` : (selected.hint ?? NO_TESTS);
    wrong.push({ message: selected.problem, ...(hint !== undefined && { hint }) });
    return [];
  });
  if (wrong.length > 0) throw ConfigError.of([...problems, ...wrong]);
  if (tests.length === 0) throw notFound('say which tests to run', '', ids, { problems, word: 'tests' });
  return { tests: [...new Set(tests)] };
}

function notFound(
  message: string,
  id: string,
  ids: readonly string[],
  { problems, word }: { problems: readonly Problem[]; word: string },
): ConfigError {
  const near = nearest(id, ids);
  const all =
    ids.length === 0
      ? `there are no ${word}: they are files like tests/<id>.${word.slice(0, -1)}.json below the application`
      : `there is ${ids.join(', ')}`;
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : all;
  // It may be one of those that could not be read.
  return ConfigError.of([...problems, { message, hint }]);
}
