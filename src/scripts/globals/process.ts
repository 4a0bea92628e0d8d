// `Process("scripts.math.Add", 1, 2)` calls another script or a built-in process.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AttemptError } from '../../errors.ts';
import { findFunction } from '../../compile/bundle.ts';
import { findJson } from '../../json/json-in-text.ts';
import { nearest } from '../../text/nearest.ts';
import { topLevelNames } from '../../compile/top-level-names.ts';
import { modulesIn } from './called-scripts.ts';
import { loadedScript } from './loaded-scripts.ts';
import { locateScript } from './locate-script.ts';

type Process = (name: unknown, ...args: unknown[]) => unknown;

/** Built-in processes by lower-case name, because their spelling varies. */
const BUILT_IN: Record<string, (...args: unknown[]) => unknown> = {
  'text.extractjson': (text) => (typeof text === 'string' ? (findJson(text)?.value ?? null) : null),
};

/** Calls are synchronous; an async target returns its promise. */
export function createProcess({ root }: { root: string }): Process {
  return function Process(name, ...args) {
    const reference = String(name);
    const key = reference.toLowerCase();
    const builtIn = Object.hasOwn(BUILT_IN, key) ? BUILT_IN[key] : undefined;
    return (builtIn ?? scriptFunction(reference, root))(...args);
  };
}

function scriptFunction(reference: string, root: string): (...args: unknown[]) => unknown {
  if (!/^(?:scripts|agents)\./.test(reference)) throw unavailable(reference);
  const located = locateScript(reference, root);
  if (located.problem !== undefined) throw new Error(explain(reference, located.problem, root));
  const script = loadedScript(located.file);
  if (script === undefined) {
    throw new Error(
      `Process "${reference}" is not loaded, because its name is computed at run time; ` +
        `write Process("${reference}", …) in the script that calls it`,
    );
  }
  if ('error' in script) throw script.error;
  const call = findFunction(script.namespace, located.name);
  if (call === undefined) throw new Error(`Process "${reference}": "${located.name}" is not a function`);
  return call;
}

/** A failure of the harness, not of the script, which calls a process of its own runtime. */
function unavailable(reference: string): AttemptError {
  return new AttemptError(
    'harness',
    `Process "${reference}" is not available under test; available are text.ExtractJSON, ` +
      'scripts.<path>.<Function> and agents.<id>.<module>.<Function>',
    { isFinal: true },
  );
}

function explain(reference: string, problem: string, root: string): string {
  const reason = problem.replace(`${reference}: `, '');
  const message = `Process "${reference}" is not available under test: ${reason}`;
  if (reason.includes('did you mean')) return message;
  const [best] = nearest(reference, scriptReferences(root), { max: 1 });
  return best === undefined ? message : `${message}; did you mean "${best}"?`;
}

function scriptReferences(root: string): string[] {
  return modulesIn(join(root, 'scripts')).flatMap(({ file, name }) =>
    topLevelNames(readFileSync(file, 'utf8')).names.map((own) => `scripts.${name}.${own}`),
  );
}
