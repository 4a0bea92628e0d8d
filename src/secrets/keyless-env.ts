import { isCredentialName } from './credential-name.ts';

/** What stands for a key that nobody needs; tapes have the same text where one was. */
const NO_KEY = '__secret__';

/** The environment of a replay, in which keys that are not set are there all the same. */
export function keylessEnv<Env extends Record<string, string | undefined>>(
  env: Env,
  isKey: (name: string) => boolean = isCredentialName,
): Env {
  return new Proxy(env, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      const isMissing = value === undefined || value === '';
      return isMissing && typeof name === 'string' && isKey(name) ? NO_KEY : value;
    },
  });
}

/** Names by which libraries look for the key of a service. */
export function isApiKeyName(name: string): boolean {
  return /_API_(?:KEY|TOKEN)$/.test(name);
}
