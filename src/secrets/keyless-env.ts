import { isCredentialName } from './credential-name.ts';

/** Placeholder for a key that a replay does not need; tapes have the same text in place of keys. */
const PLACEHOLDER_KEY = '__secret__';

/** The environment of a replay: keys that are not set have a placeholder value. */
export function keylessEnv<Env extends Record<string, string | undefined>>(
  env: Env,
  isKey: (name: string) => boolean = isCredentialName,
): Env {
  return new Proxy(env, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      const isMissing = value === undefined || value === '';
      return isMissing && typeof name === 'string' && isKey(name) ? PLACEHOLDER_KEY : value;
    },
  });
}

/** True for environment variables in which libraries look for the key of a service. */
export function isApiKeyName(name: string): boolean {
  return /_API_(?:KEY|TOKEN)$/.test(name);
}
