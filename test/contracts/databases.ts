// The databases that the history must behave the same on, each test in an empty one of its own.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';

export type TestDatabase = {
  name: string;
  /** The place of a new, empty database. */
  create(): Promise<string>;
  /** Asks the database itself, without the store between. */
  query(place: string, sql: string): Promise<Record<string, unknown>[]>;
};

export const DATABASES: readonly TestDatabase[] = [
  {
    name: 'SQLite',
    create: async () => join(mkdtempSync(join(tmpdir(), 'assay-history-')), 'history.db'),
    query: async (place, sql) => {
      const { DatabaseSync } = await import('@photostructure/sqlite');
      const file = new DatabaseSync(place, { timeout: 5000 });
      try {
        // A cast, because rows are plain objects.
        return file.prepare(sql).all() as Record<string, unknown>[];
      } finally {
        file.close();
      }
    },
  },
  {
    name: 'PostgreSQL',
    create: async () => {
      const server = inject('postgresUrl');
      const name = `history_${process.pid}_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`;
      await ask(server, `create database ${name}`);
      return server.replace(/\/postgres$/, `/${name}`);
    },
    query: ask,
  },
];

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
