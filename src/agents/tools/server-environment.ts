// The environment of a tool server that is a program: what programs need to run, and what its file names. No keys of the user.

import { MARK_NAME } from '../../platform/processes/run-mark.ts';

type Environment = Record<string, string | undefined>;

/** The variables that the SDK of MCP passes on, then those for languages, temporary files, certificates and proxies. */
const PASSED =
  /^(?:HOME|LOGNAME|PATH|SHELL|TERM|USER|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:DIR|FILE)|(?:ALL|HTTP|HTTPS|NO)_PROXY)$/i;
const PASSED_ON_WINDOWS =
  /^(?:APPDATA|COMSPEC|HOMEDRIVE|HOMEPATH|LOCALAPPDATA|PATHEXT|PROCESSOR_ARCHITECTURE|PROGRAM(?:DATA|FILES(?:\(X86\))?)|SYSTEM(?:DRIVE|ROOT)|TEMP|TMP|USERNAME|USERPROFILE|WINDIR)$/i;

/** `named` are the variables in the server's file. */
export function serverEnvironment(
  named: Record<string, string>,
  all: Environment = process.env,
): Environment {
  const passed = Object.entries(all).filter(([name, value = '']) => {
    const isPassed = PASSED.test(name) || (process.platform === 'win32' && PASSED_ON_WINDOWS.test(name));
    // An address of a proxy may hold a password; a value that begins with "()" is a function of a shell.
    return name === MARK_NAME || (isPassed && !/^\(\)|:\/\/.*@/.test(value));
  });
  return { ...Object.fromEntries(passed), ...named };
}

/** A remedy for a server that did not start; `printed` is what it wrote to stderr. */
export function environmentHint(printed: string, given: Environment, all: Environment = process.env): string {
  const words = new Set(printed.match(/\w+/g));
  const missing = Object.keys(all).filter((name) => words.has(name) && !(name in given));
  const [name = 'TOKEN'] = missing;
  const example = `"env": {${JSON.stringify(name)}: "$ENV.${name}"}`;
  if (missing.length === 0) return `if it needs an environment variable, name it in its file: ${example}`;
  return `it was not given ${missing.join(', ')}: name it in its file, ${example}`;
}
