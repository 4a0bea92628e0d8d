// Files of `Test*` functions.

import type { ScriptSubject } from '../../model/script.ts';
import type { LoggedInput } from '../../model/event.ts';
import type { Problem } from '../../errors.ts';
import type { Kind } from '../kind.ts';
import { ScriptPool } from './pool.ts';
import type { ScriptSource } from './script-files.ts';
import { prepareScripts } from './script-tests.ts';
import { programName } from '../../platform/how-started.ts';

export const scriptKind: Kind<ScriptSource, ScriptSubject> = {
  id: 'script',
  noun: 'test function',
  defaults: { timeout_ms: 30_000, parallel: 'cores' },
  parallelUnit: 'files',
  prefersContextFile: true,
  recognises: {
    file: /_test\.(?:ts|js|mjs)$/,
    name: /^scripts\.\S*$/,
    hint: `${programName()} test -i "scripts.*" --dry-run lists all tests`,
  },
  async find({ value, path }, { root }) {
    const { findScripts } = await import('./script-files.ts');
    return findScripts(value, { root, file: path });
  },
  testIds: (sources) => sources.map(({ name }) => name),
  prepare: prepareScripts,
  openPool: (options) => new ScriptPool(options),
  describe: ({ test_id }) => ({ what: test_id }),
  typedAs: (input) => (input.type === 'script' ? input.input : undefined),
  changes,
};

function changes(before: LoggedInput, now: LoggedInput | undefined): Problem[] {
  if (before.type !== 'script') return [];
  const isSame = now?.type === 'script' && before.sha256 === now.sha256;
  if (isSame) return [];
  return [
    { message: 'the tests or what they import have changed since the run began', at: before.script_path },
  ];
}
