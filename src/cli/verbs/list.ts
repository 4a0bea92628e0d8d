// `assay list`: types, tests and suites, and the variables they have.

import type { Defined, Definitions } from '../../definitions/read-definitions.ts';
import { typeOf } from '../../definitions/read-definitions.ts';
import { selectTests } from '../../definitions/select-tests.ts';
import type { FlagsOf } from '../../application/options/options.ts';
import { ConfigError } from '../../errors.ts';
import type { TestDefinition, TestTypeDefinition } from '../../model/definition.ts';
import { EXIT } from '../../model/exit-code.ts';
import { displayWidth } from '../../text/display-width.ts';
import { oneLine } from '../../text/untrusted.ts';
import type { ListedVariable } from '../../variables/list-variables.ts';
import { listVariables } from '../../variables/list-variables.ts';
import type { ApplicationDefinitions } from '../../run/definitions/application-definitions.ts';
import { applicationDefinitions } from '../../run/definitions/application-definitions.ts';
import type { Io } from '../../run/io.ts';
import { programName } from '../../platform/how-started.ts';

type ListFlags = FlagsOf<'list'>;

type Entry = {
  id: string;
  name: string;
  description?: string;
  at: string;
  type?: string;
  kind?: string;
  tags?: string[];
  tests?: string[];
  variables?: ListedVariable[];
};
type Listed = { types: Entry[]; tests: Entry[]; suites: Entry[] };

/** Lists what there is; with an id only that, whatever level it is on. */
export async function listCommand(id: string | undefined, flags: ListFlags, io: Io): Promise<number> {
  const application = await applicationDefinitions(io);
  const listed = narrowed(entriesOf(application, flags), id, flags);
  if (id !== undefined && Object.values(listed).every((entries) => entries.length === 0))
    throw unknownId(id, application.definitions);
  const isEmpty = Object.values(listed).every((entries) => entries.length === 0);
  if (flags.tag !== undefined && isEmpty) {
    const { problem, hint } = selectTests(application.definitions.tests, `tag:${flags.tag}`);
    throw new ConfigError(problem, hint === undefined ? {} : { hint });
  }
  io.stdout.write(
    flags.json === true
      ? `${JSON.stringify(listed, null, 2)}\n`
      : textOf(listed, id, flags, application.settings.tests),
  );
  const { problems } = application;
  if (problems.length > 0)
    io.stderr.write(
      `${String(problems.length)} problem${problems.length === 1 ? '' : 's'} in definitions; ${programName()} validate lists them\n`,
    );
  return EXIT.passed;
}

function entriesOf({ definitions, entities }: ApplicationDefinitions, { showVariables }: ListFlags): Listed {
  const { types, tests, suites } = definitions;
  const variablesOf = (
    type: TestTypeDefinition | undefined,
    test?: TestDefinition,
  ): Pick<Entry, 'variables'> => {
    if (showVariables !== true) return {};
    const schema = type?.variablesSchema ?? { schemaVersion: '1.0', variables: [] };
    return { variables: listVariables(schema, test?.variables, entities) };
  };
  return {
    types: types.map((type) => Object.assign(commonOf(type), { kind: type.kind }, variablesOf(type))),
    tests: tests.map((test) => {
      const tags = test.tags === undefined ? {} : { tags: test.tags };
      return Object.assign(
        commonOf(test),
        { type: test.type },
        tags,
        variablesOf(typeOf(definitions, test), test),
      );
    }),
    suites: suites.map((suite) =>
      Object.assign(commonOf(suite), {
        tests: [
          ...new Set(
            suite.tests.flatMap((wanted) => selectTests(tests, wanted).tests.map((test) => test.id)),
          ),
        ],
      }),
    ),
  };
}

function commonOf({
  id,
  name,
  description,
  at,
}: Defined<{ id: string; name: string; description?: string }>): Entry {
  return { id, name, ...(description !== undefined && { description }), at };
}

/** Whether a level is asked for: all are, unless flags name some. */
function isWanted(level: keyof Listed, { types, tests, suites, tag }: ListFlags): boolean {
  const named = { types, tests: tests === true || tag !== undefined, suites };
  return named[level] === true || !Object.values(named).includes(true);
}

function narrowed(listed: Listed, id: string | undefined, flags: ListFlags): Listed {
  const { tag } = flags;
  const select = (level: keyof Listed): Entry[] =>
    isWanted(level, flags) ? listed[level].filter((entry) => id === undefined || entry.id === id) : [];
  return {
    types: select('types'),
    tests: select('tests').filter(({ tags = [] }) => tag === undefined || tags.includes(tag)),
    suites: select('suites'),
  };
}

function unknownId(id: string, { types, tests, suites }: Definitions): ConfigError {
  const levels = Object.entries({ types, tests, suites });
  const [level] = levels.find(([, list]) => list.some((definition) => definition.id === id)) ?? [];
  if (level !== undefined)
    return new ConfigError(`${JSON.stringify(id)} is not among these`, { hint: `it is one of the ${level}` });
  const all = [...types, ...tests, ...suites].map((definition) => ({ id: definition.id }));
  const { hint } = selectTests(all, id);
  return new ConfigError(`there is no ${JSON.stringify(id)}`, hint === undefined ? {} : { hint });
}

const TITLES = { types: 'Types', tests: 'Tests', suites: 'Suites' };

/** A level without entries has a sentence, unless only an id is asked for. */
function textOf(listed: Listed, id: string | undefined, flags: ListFlags, folder = 'tests'): string {
  const levels = ['types', 'tests', 'suites'] as const;
  const parts = levels.flatMap((level) => {
    if (listed[level].length > 0) return [section(TITLES[level], listed[level])];
    if (id !== undefined || !isWanted(level, flags)) return [];
    const noun = level.slice(0, -1);
    return [`There are no ${level}. A ${noun} is a file like ${oneLine(folder)}/nightly.${noun}.yml.\n`];
  });
  return parts.join('\n');
}

function section(title: string, entries: readonly Entry[]): string {
  const width = Math.max(...entries.map(({ id }) => displayWidth(oneLine(id))));
  const lines = entries.map((entry) => {
    const id = oneLine(entry.id);
    const facts = [oneLine(entry.name), ...factsOf(entry)].join(', ');
    const line = `  ${id}${' '.repeat(width - displayWidth(id))}  ${facts}\n`;
    return line + (entry.variables ?? []).map(variableLine).join('');
  });
  return `${title}\n${lines.join('')}`;
}

function factsOf({ type, kind, tags = [], tests, at }: Entry): string[] {
  const facts = [
    type ?? kind,
    tests === undefined ? undefined : tests.join(' '),
    ...tags.map((tag) => `#${tag}`),
    at,
  ];
  return facts.filter((fact) => fact !== undefined).map((fact) => oneLine(fact));
}

function variableLine({ name, dataType, allowed, value, source, locked, required }: ListedVariable): string {
  const facts = [
    dataType,
    allowed === undefined ? undefined : allowedText(allowed),
    value === undefined ? undefined : `${value} (from the ${source ?? ''})`,
    required ? 'required' : undefined,
    locked ? 'locked' : undefined,
  ];
  return `      ${name}: ${facts
    .filter((fact) => fact !== undefined)
    .map((fact) => oneLine(fact))
    .join('; ')}\n`;
}

function allowedText(allowed: readonly unknown[]): string {
  return allowed.length === 0 ? 'there is nothing to choose from' : `one of ${allowed.join(', ')}`;
}
