// The one rule for names of credentials: of fields, headers, variables and environment variables. Free of Node, because
// forms in the browser use it too.

/** Words that name a credential wherever they stand in a name. */
const STRONG =
  'apikey authorization credential credentials passphrase passwd password passwords privatekey secret secrets'.split(
    ' ',
  );
/** Words that have other meanings, too: in the data of services they need a word before them that says which. */
const WEAK = 'auth bearer cookie jwt key pass pat pw pwd token'.split(' ');
const CREDENTIAL_WORDS = new Set([...STRONG, ...WEAK]);
const STRONG_WORDS = new Set(STRONG);

/** Ends of words written as one: PGPASSWORD, authtoken, SSHPASS, secretkey. */
const JOINED =
  /(?:pass(?:wor|w)d|passphrase|secret|token|credentials?|cookie|pwd|(?:api|auth|access|client|encryption|master|private|secret|signing|ssh)key|(?:api|db|ftp|git|my|mysql|pg|smtp|ssh|user)(?:pass|pw))$/;
/** Words before `key` or `token` that say what it opens; their plurals are lists of credentials. */
const QUALIFIERS = new Set(
  'access account admin api app auth bearer bot client csrf deploy encryption github gitlab id license master oauth private refresh secret security service session shared signing slack ssh storage webhook xsrf'.split(
    ' ',
  ),
);
/** Words before `key` that say that it is no credential. */
const OPEN_KEYS = new Set('foreign idempotency partition public publishable sort'.split(' '));
/** Last words of names that describe a credential and do not hold it: TOKEN_URL, PASSWORD_MIN_LENGTH, AUTH_TYPE. */
const DESCRIPTIONS = new Set(
  'age alg algorithm audience binding bindings count dir directory disabled domain enabled endpoint expiration expires expiry file filename format host issuer layout length limit max method min mode name path policy port prefix provider rate realm region scope scopes size sock socket status strategy suffix timeout ttl type url uri user username version'.split(
    ' ',
  ),
);
/** Directories of the shell. */
const DIRECTORIES = new Set(['pwd', 'oldpwd']);

/** True for names of credentials: `api_key`, `accessToken`, `X-Api-Key`, `Set-Cookie`, `PGPASSWORD`, `API_KEY_2` … */
export function isCredentialName(name: string): boolean {
  const words = wordsIn(name);
  if (DIRECTORIES.has(name.toLowerCase()) || isDescription(words)) return false;
  return words.some((word, at) => isCredentialWord(words, word, at) || isPlural(words, word, at));
}

/** The same for fields in the data of services, where `key`, `token` or `pass` alone says too little. */
export function isCredentialField(name: string): boolean {
  const words = wordsIn(name);
  if (isDescription(words) || DIRECTORIES.has(name.toLowerCase())) return false;
  return words.some((word, at) => {
    if (STRONG_WORDS.has(word) || isPlural(words, word, at)) return true;
    if (!isCredentialWord(words, word, at)) return false;
    return !CREDENTIAL_WORDS.has(word) || QUALIFIERS.has(words[at - 1] ?? '');
  });
}

/** True for names of lists of credentials: `API_KEYS`, `auth_tokens`. */
export function isCredentialList(name: string): boolean {
  const words = wordsIn(name);
  return words.some((word, at) => isPlural(words, word, at));
}

function isCredentialWord(words: readonly string[], word: string, at: number): boolean {
  if (word === 'key') return !OPEN_KEYS.has(words[at - 1] ?? '');
  return CREDENTIAL_WORDS.has(word) || JOINED.test(word);
}

function isPlural(words: readonly string[], word: string, at: number): boolean {
  return (word === 'keys' || word === 'tokens') && QUALIFIERS.has(words[at - 1] ?? '');
}

function isDescription(words: readonly string[]): boolean {
  return DESCRIPTIONS.has(words.at(-1) ?? '');
}

/** Splits at camel case and everything that is no letter; digits at the end of a word only number it. */
function wordsIn(name: string): string[] {
  return name
    .slice(0, MAX_NAME)
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .map((word) => word.replace(/\d+$/, ''))
    .filter((word) => word !== '');
}

/** Longer names are data. */
const MAX_NAME = 200;
