// Starts the script worker in a realm of its own. Code under test that patches built-ins or modules of Node does not change
// how tests are judged.

import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { createContext, Script } from 'node:vm';
import { ignoreDebugSignal } from '../../../platform/processes/debugger.ts';

ignoreDebugSignal();

type Exports = Record<string, unknown>;

/**
 * Files that run in the realm: what decides about tests. All others run in the realm of the process, because they make what
 * tests get: modules, globals, contexts, mocks.
 */
const JUDGING = new Set(['./script-worker-core.cjs', './script-worker-main.cjs', 'json-p3', 're2js']);

const load = createRequire(import.meta.url);
const globals: Exports = { console };
// Without `Function('…')`: every function of `t` leads to it.
const context = createContext(globals, { codeGeneration: { strings: false, wasm: false } });
/**
 * Freezes the built-ins of the realm, which tests can reach through the functions of `t`. Assignments to objects that inherit from
 * Object still work. Errors stay as they are: libraries assign their names, and judging needs nothing of them.
 */
const hardening = `(names) => {
  const { prototype } = Object;
  for (const key of Reflect.ownKeys(prototype)) {
    const { value } = Reflect.getOwnPropertyDescriptor(prototype, key);
    if (value === undefined) continue;
    const set = function (own) {
      if (this !== prototype) Reflect.defineProperty(this, key, { value: own, configurable: true, enumerable: true, writable: true });
    };
    Reflect.defineProperty(prototype, key, { get: () => value, set, configurable: false });
  }
  for (const name of names) {
    if (name.endsWith('Error')) continue;
    Object.freeze(globalThis[name]);
    if (globalThis[name]?.prototype !== prototype) Object.freeze(globalThis[name]?.prototype);
  }
  Object.preventExtensions(prototype);
}`;
/** What files that judge have required. */
const kept = new Map<string, Exports>();

const names = new Script('Object.getOwnPropertyNames(globalThis)').runInContext(context) as string[];
for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(globalThis)))
  if (!names.includes(name) && name !== 'global') Object.defineProperty(globals, name, descriptor);

/** The classes and namespaces of the language. Files get them as parameters, because a global of a context takes longer to read. */
const intrinsicNames = names.filter((name) => /^(?!NaN|Infinity)[A-Z]/.test(name));
const intrinsics = new Script(`[${intrinsicNames.join(', ')}]`).runInContext(context) as unknown[];

requireJudging('./script-worker-main.cjs');
(new Script(hardening, { filename: 'assay:hardening' }).runInContext(context) as (names: string[]) => void)(
  intrinsicNames,
);

/** The `require` of files that judge. */
function requireFile(specifier: string): unknown {
  const known = kept.get(specifier);
  if (known !== undefined) return known;
  if (isBuiltin(specifier)) return requireBuiltin(specifier);
  return JUDGING.has(specifier) ? requireJudging(specifier) : (load(specifier) as unknown);
}

function requireJudging(specifier: string): Exports {
  const filename = load.resolve(specifier);
  const module = { exports: {}, filename, id: filename, loaded: true };
  kept.set(specifier, module.exports);
  // Other files of Assay require the same one. The cast is safe: Node reads no more of a module that is loaded.
  if (specifier.startsWith('.')) load.cache[filename] = module as unknown as NodeJS.Module;
  const parameters = ['exports', 'require', 'module', '__filename', ...intrinsicNames];
  const code = `(function (${parameters.join(', ')}) { ${readFileSync(filename, 'utf8')}\n})`;
  const call = new Script(code, { filename }).runInContext(context) as (...args: unknown[]) => void;
  call(module.exports, requireFile, module, filename, ...intrinsics);
  return module.exports;
}

/** A module of Node as it is now: what tests replace in it later has no effect here. */
function requireBuiltin(specifier: string): Exports {
  const descriptors = Object.getOwnPropertyDescriptors(load(specifier) as Exports);
  for (const descriptor of Object.values(descriptors)) {
    const value: unknown = descriptor.value;
    // `util.types`
    if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
      descriptor.value = { ...value };
  }
  const copy = Object.create(null, descriptors) as Exports;
  if (specifier === 'node:module') copy['createRequire'] = () => requireFile;
  kept.set(specifier, copy);
  return copy;
}
