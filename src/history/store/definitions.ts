// Stores each version of a definition once, identified by its content.

import type { SuiteDefinition, TestDefinition, TestTypeDefinition } from '../../model/definition.ts';
import type { StartEvent } from '../../model/event.ts';
import { canonicalJson } from '../../stats/canonical.ts';
import type { Database } from './connection.ts';
import { json, sha256 } from './event-rows.ts';

/** Links a new run with its tests and its suite. */
export async function addDefinitions(db: Database, runNo: number, start: StartEvent): Promise<void> {
  const { types = [], tests = [], suite } = start.definitions ?? {};
  for (const [place, test] of tests.entries()) {
    const type = types.find(({ id }) => id === test.type);
    await db
      .insertInto('run_tests')
      .values({ run_no: runNo, place, test_id: await findOrAddTest(db, test, type) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  if (start.suite === undefined) return;
  // A log may name a suite without its definition.
  const suite_id = await findOrAddSuite(db, suite ?? { id: start.suite, name: start.suite, tests: [] });
  await db
    .insertInto('suite_runs')
    .values({ run_no: runNo, suite_id, resolved_variables: json(start.resolved_variables) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** A test with another type is another version. */
async function findOrAddTest(
  db: Database,
  test: TestDefinition,
  type: TestTypeDefinition | undefined,
): Promise<number> {
  const test_type_id = type === undefined ? null : await findOrAddType(db, type);
  const row = definitionRow(test, { test, type });
  await db
    .insertInto('tests')
    .values({ ...row, test_type_id, variables: json(test.variables) })
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .execute();
  return findId(db, 'tests', row.sha256);
}

async function findOrAddType(db: Database, type: TestTypeDefinition): Promise<number> {
  const row = definitionRow(type);
  await db
    .insertInto('test_types')
    .values({ ...row, variables_schema: json(type.variablesSchema) })
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .execute();
  return findId(db, 'test_types', row.sha256);
}

async function findOrAddSuite(db: Database, suite: SuiteDefinition): Promise<number> {
  const row = definitionRow(suite);
  await db
    .insertInto('suites')
    .values({ ...row, variables: json(suite.variables) })
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .execute();
  return findId(db, 'suites', row.sha256);
}

type Definition = TestTypeDefinition | TestDefinition | SuiteDefinition;

function definitionRow(
  definition: Definition,
  content: unknown = definition,
): { sha256: string; defined_id: string; name: string; definition: string } {
  return {
    sha256: sha256(canonicalJson(content)),
    defined_id: definition.id,
    name: definition.name,
    definition: JSON.stringify(definition),
  };
}

async function findId(db: Database, table: 'suites' | 'test_types' | 'tests', hash: string): Promise<number> {
  const row = await db.selectFrom(table).select('id').where('sha256', '=', hash).executeTakeFirstOrThrow();
  return row.id;
}
