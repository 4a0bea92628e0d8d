import { expect, test } from 'vitest';
import { isCredentialField, isCredentialName } from './credential-name.ts';

test.each(
  `api_key accessToken X-Api-Key Authorization Set-Cookie OPENAI_KEY SSH_PRIVATE_KEY SIGNING_KEY KEY API_KEY_2 PGPASSWORD
  MYSQL_PWD DB_PASS PASSWD GITHUB_PAT SESSION_COOKIE PROXY_AUTHORIZATION GH_TOKEN_OLD TOKEN_GITHUB SECRET_OF_APP
  CLIENT_SECRET_VALUE MyApiKey openaiApiKey APIKey OpenAIKey SSHPASS db.password JWT_SECRET SECRET_KEY_BASE HTPASSWD
  AUTHTOKEN GPG_PASSPHRASE AWS_ACCESS_KEY_ID API_KEYS password1 BIND_PW GOOGLE_CREDENTIALS NPM_AUTH x-auth-token`.split(
    /\s+/,
  ),
)('%s names a credential', (name) => expect(isCredentialName(name)).toBe(true));

test.each(
  `PWD OLDPWD pwd KEYBOARD_LAYOUT MONKEY PUBLIC_KEY STRIPE_PUBLISHABLE_KEY TOKENIZERS_PARALLELISM SSH_AUTH_SOCK MAX_TOKENS
  input_tokens PASS_RATE BYPASS COMPASS PATH AUTHOR GIT_AUTHOR_NAME TOKEN_URL PASSWORD_MIN_LENGTH AUTH_TYPE KEYMAP
  idempotency-key turkey PATTERN KEYS SECRETARY`.split(/\s+/),
)('%s names none', (name) => expect(isCredentialName(name)).toBe(false));

test('in the data of services, key and token alone say too little', () => {
  const names =
    'key token pass auth cookie logprob_token cache_key password api_key refreshToken session_cookie dbpassword';
  expect(names.split(' ').filter(isCredentialField)).toEqual([
    'password',
    'api_key',
    'refreshToken',
    'session_cookie',
    'dbpassword',
  ]);
});
