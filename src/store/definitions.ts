// Definitions as they were, each kept once: found by what they say.

import type { SuiteOrigin, TestDefinition, TypeDefinition } from '../model/origin.ts';
import { canonicalJson } from '../stats/canonical.ts';
import type { Database } from './connection.ts';
import { json, sha256, time } from './event-rows.ts';

/** The row of a test, made if it is not there. */
export async function findOrAddTest(db: Database, test: TestDefinition): Promise<number> {
  const { name, definition, variables, type } = test;
  const test_type_id = type === undefined ? null : await findOrAddType(db, type);
  const row = { sha256: sha256(canonicalJson(test)), name, definition: JSON.stringify(definition ?? null) };
  await db
    .insertInto('tests')
    .values({ ...row, test_type_id, variables: json(variables) })
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .execute();
  return findId(db, 'tests', row.sha256);
}

async function findOrAddType(db: Database, type: TypeDefinition): Promise<number> {
  const { name, definition, variables_schema } = type;
  const row = { sha256: sha256(canonicalJson(type)), name, definition: JSON.stringify(definition ?? null) };
  await db
    .insertInto('test_types')
    .values({ ...row, variables_schema: json(variables_schema) })
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .execute();
  return findId(db, 'test_types', row.sha256);
}

/** Makes the run of a suite and the suite it is a run of, unless they are there. */
export async function findOrAddSuiteRun(db: Database, suite: SuiteOrigin): Promise<void> {
  const { run_id, started_at, name, definition, variables, resolved_variables } = suite;
  const content = canonicalJson({ name, definition, variables });
  const row = { sha256: sha256(content), name, definition: JSON.stringify(definition ?? null) };
  await db
    .insertInto('suites')
    .values({ ...row, variables: json(variables) })
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .execute();
  await db
    .insertInto('suite_runs')
    .values({
      suite_run_id: run_id,
      suite_id: await findId(db, 'suites', row.sha256),
      started_at: time(started_at),
      resolved_variables: json(resolved_variables),
    })
    .onConflict((conflict) => conflict.column('suite_run_id').doNothing())
    .execute();
}

async function findId(db: Database, table: 'suites' | 'test_types' | 'tests', hash: string): Promise<number> {
  const row = await db.selectFrom(table).select('id').where('sha256', '=', hash).executeTakeFirstOrThrow();
  return row.id;
}
