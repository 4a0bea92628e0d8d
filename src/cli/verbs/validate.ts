// `assay validate`: all definitions of the application, and everything that is wrong with them.

import type { FlagsOf } from '../../application/options/options.ts';
import { ConfigError } from '../../errors.ts';
import { EXIT } from '../../model/exit-code.ts';
import { counted } from '../../report/text/run-words.ts';
import { applicationDefinitions } from '../../run/definitions/application-definitions.ts';
import { checkRuns } from './check-runs.ts';
import type { Io } from '../../run/io.ts';

/** Gives the exit code; throws all problems as one ConfigError unless they are wanted as JSON. */
export async function validateCommand(flags: FlagsOf<'validate'>, io: Io): Promise<number> {
  const application = await applicationDefinitions(io);
  const { definitions, root, env, settings } = application;
  const problems = [
    ...application.problems,
    ...(await checkRuns(application, { root, cwd: io.cwd, env, settings })),
  ];
  const types = definitions.types.filter(({ at }) => at !== 'built-in').length;
  const { tests, suites } = definitions;
  if (flags.json === true) {
    const document = { types, tests: tests.length, suites: suites.length, problems };
    io.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    return problems.length === 0 ? EXIT.passed : EXIT.config;
  }
  if (problems.length > 0) throw ConfigError.of(problems);
  const parts = [counted(types, 'type'), counted(tests.length, 'test'), counted(suites.length, 'suite')];
  io.stdout.write(`${parts.join(', ')}: nothing is wrong.\n`);
  return EXIT.passed;
}
