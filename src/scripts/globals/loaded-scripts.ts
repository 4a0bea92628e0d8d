// The scripts that this process has imported, so that one can call another synchronously.

import { importModule } from '../../compile/bundle.ts';

/** An imported script, or the error of its import. */
export type LoadedScript = { namespace: Record<string, unknown> } | { error: unknown };

const loading = new Map<string, Promise<LoadedScript>>();
const loaded = new Map<string, LoadedScript>();

/** Imports a script once; never rejects. */
export function loadScript(file: string, { root }: { root: string }): Promise<LoadedScript> {
  const known = loading.get(file);
  if (known !== undefined) return known;
  const load = importModule(file, { root }).then(
    (namespace): LoadedScript => ({ namespace }),
    (error: unknown): LoadedScript => ({ error }),
  );
  const work = load.then((script) => {
    loaded.set(file, script);
    return script;
  });
  loading.set(file, work);
  return work;
}

/** A script that `loadScript` has finished loading. */
export function loadedScript(file: string): LoadedScript | undefined {
  return loaded.get(file);
}
