// Names for runs that others are compared with.

import { ConfigError } from '../../errors.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { Connection } from './connection.ts';
import type { FoundRun } from './runs.ts';
import type { Baseline } from './store.ts';
import { programName } from '../../platform/how-started.ts';

/** Gives a run a name; a name that exists moves to it. */
export async function setBaseline(connection: Connection, name: string, { run }: FoundRun): Promise<void> {
  checkName(name);
  const row = { name, run_id: run.run_id, created_at: new Date().toISOString() };
  await connection.write((db) =>
    db
      .insertInto('baselines')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({ run_id: row.run_id, created_at: row.created_at }),
      )
      .execute(),
  );
}

/** All names in the order of the alphabet. */
export async function listBaselines(connection: Connection): Promise<Baseline[]> {
  return connection.read((db) => db.selectFrom('baselines').selectAll().orderBy('name').execute());
}

export async function removeBaseline(connection: Connection, name: string): Promise<void> {
  const names = (await listBaselines(connection)).map((baseline) => baseline.name);
  if (!names.includes(name)) throw unknownBaseline(name, names);
  await connection.write((db) => db.deleteFrom('baselines').where('name', '=', name).execute());
}

function unknownBaseline(name: string, names: readonly string[]): ConfigError {
  return new ConfigError(`there is no baseline ${JSON.stringify(name)}`, {
    hint:
      didYouMean(name, names) ??
      `${programName()} baseline lists them; ${programName()} baseline set <run> <name> makes one`,
  });
}

/** A name must not be read as a branch, a file or another run. */
function checkName(name: string): void {
  if (/^[A-Za-z][\w-]{0,99}$/.test(name) && name !== 'latest' && !/^[0-9a-f-]{8,}$/.test(name)) return;
  throw new ConfigError(`${JSON.stringify(name)} cannot be the name of a baseline`, {
    hint: 'use letters, digits, "-" and "_", beginning with a letter: main, release-2',
  });
}
