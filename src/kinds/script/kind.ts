// Files of `Test*` functions.

import type { ScriptSubject } from '../../model/script.ts';
import { typedScript } from '../../model/script.ts';
import type { LoggedInput } from '../../model/event.ts';
import type { Problem } from '../../errors.ts';
import type { Kind } from '../kind.ts';
import { ScriptPool } from './pool.ts';
import type { ScriptSource } from './script-files.ts';
import { prepareScripts } from './script-tests.ts';
import { programName } from '../../platform/how-started.ts';

const SCRIPT_NAME = /^scripts\.\S*$/;

export const scriptKind: Kind<ScriptSource, ScriptSubject> = {
  id: 'script',
  noun: 'test function',
  defaults: { timeout_ms: 30_000, parallel: 'cores' },
  parallelUnit: 'files',
  prefersContextFile: true,
  recognises: {
    file: /_test\.(?:m?ts|m?js)$/,
    name: SCRIPT_NAME,
    files: '*_test.*',
    hint: `${programName()} test -i "scripts.*" --dry-run lists all tests`,
  },
  async find({ value, path, glob }, { root }) {
    const { findScripts } = await import('./script-files.ts');
    return findScripts(value, { root, file: path, glob });
  },
  testIds: (sources) => sources.map(({ name }) => name),
  prepare: prepareScripts,
  openPool: (options) => new ScriptPool(options),
  describe: ({ test_id }) => ({ what: test_id }),
  typedAs,
  changes,
};

/** The name that was typed, perhaps of many files; a path is that of one file. */
function typedAs(input: LoggedInput): string | undefined {
  if (input.type !== 'script') return undefined;
  const isName = SCRIPT_NAME.test(input.input) && input.input !== input.script_path;
  return isName ? input.input : typedScript(input);
}

function changes(before: LoggedInput, now: LoggedInput | undefined): Problem[] {
  if (before.type !== 'script') return [];
  const isSame = now?.type === 'script' && before.sha256 === now.sha256;
  if (isSame) return [];
  return [
    { message: 'the tests or what they import have changed since the run began', at: before.script_path },
  ];
}
