// How this program was started, so that a command in a message can be typed as it stands.

import path from 'node:path';

/** The parts of a process that tell how it was started. */
export type StartedProcess = {
  env: Readonly<Record<string, string | undefined>>;
  /** The file that Node was told to run. */
  file: string | undefined;
};

/** How each package manager starts a program of the project, by the name it gives itself. */
const RUNNERS: Readonly<Record<string, string>> = {
  bun: 'bunx assay',
  npm: 'npx assay',
  pnpm: 'pnpm exec assay',
  yarn: 'yarn assay',
};

/** `assay` as the user would type it: `npx assay` below npx or an npm script, `assay` if the shell finds it as such. */
export function programName(
  { env, file }: StartedProcess = { env: process.env, file: process.argv[1] },
): string {
  const manager = /^(\w+)\//.exec(env['npm_config_user_agent'] ?? '')?.[1];
  const runner = manager === undefined ? undefined : RUNNERS[manager];
  if (runner !== undefined) return runner;
  const isOfProject = file !== undefined && /[\\/]node_modules[\\/]\.bin[\\/]assay$/.test(file);
  return isOfProject && !isOnPath(path.dirname(file), env['PATH']) ? 'npx assay' : 'assay';
}

/** Writes our own text the way the program was started: `assay test` becomes `npx assay test`. */
export function withProgramName(text: string): string {
  const name = programName();
  return name === 'assay' ? text : text.replace(/(?<![\w/.-])assay (?=[a-z<-])/g, () => `${name} `);
}

function isOnPath(folder: string, searched: string | undefined): boolean {
  return (searched ?? '').split(path.delimiter).some((one) => one !== '' && path.resolve(one) === folder);
}
