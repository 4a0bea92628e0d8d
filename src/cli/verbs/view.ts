// `assay view`: the history and the definitions of an application in a browser.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { FlagsOf } from '../../application/options/options.ts';
import { ConfigError } from '../../errors.ts';
import { EXIT } from '../../model/exit-code.ts';
import { startServer } from '../../viewer/create-server.ts';
import { openApplicationStore } from '../../history/store/application-store.ts';
import type { Io } from '../../run/io.ts';
import { viewedApplication } from '../../viewer/application.ts';

const PORT = 4477;

/** Serves until it is interrupted, which is how one stops it. */
export async function viewCommand(flags: FlagsOf<'view'>, io: Io): Promise<number> {
  const port = flags.port === undefined ? PORT : portOf(flags.port);
  const opened = await openApplicationStore(flags, io);
  try {
    const { application, close } = viewedApplication(opened, flags, io);
    const server = await startServer(application, { port, isAsked: flags.port !== undefined });
    // Browsers never send the part behind the #, so no log contains it.
    const url = `http://127.0.0.1:${String(server.port)}/#token=${server.token}`;
    if (flags.json === true)
      io.stdout.write(`${JSON.stringify({ url, port: server.port, token: server.token })}\n`);
    else io.stdout.write(`Assay view: ${url}\nCtrl-C stops it.\n`);
    if (flags.open === true) openBrowser(url, io);
    if (!io.interrupt.aborted) await once(io.interrupt, 'abort');
    await Promise.all([server.close(), close()]);
    return EXIT.passed;
  } finally {
    await opened.store.close();
  }
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new ConfigError(`expected a port from 0 to 65535, got ${JSON.stringify(text)}`, { at: '--port' });
}

/** The program that opens what it is given in the browser of the user. */
const OPENERS: { [platform: string]: string[] | undefined } = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Without a browser on this machine, the user opens the address elsewhere. */
function openBrowser(url: string, io: Io): void {
  const [command = '', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const fail = (why: string): void =>
    void io.stderr.write(`No browser could be opened (${why}); open the address yourself.\n`);
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', (error) => fail(error.message));
  child.on('exit', (code) => {
    if (code !== 0 && code !== null) fail(`${command} ended with ${String(code)}`);
  });
  child.unref();
}
