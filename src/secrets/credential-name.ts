// Names of credentials. Free of Node, because forms in the browser use it too.

const CREDENTIAL_WORDS = new Set(
  'apikey auth authorization cookie credential credentials key passphrase passwd password pwd secret token'.split(
    ' ',
  ),
);

/** True for names of credentials: `api_key`, `accessToken`, `X-Api-Key`, `Authorization`, `Set-Cookie` … */
export function isCredentialName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  return words.some((word) => CREDENTIAL_WORDS.has(word));
}
