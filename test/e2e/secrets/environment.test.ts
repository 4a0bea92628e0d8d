// What the environment holds appears nowhere if it is a secret, and stays readable if it is none.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, outputsIn } from '../support/assay.ts';

const SECRET = 'Zq81LmPw02VbNc73';
const secrets = Object.fromEntries(
  `OPENAI_KEY SSH_PRIVATE_KEY KEY API_KEY_2 PGPASSWORD MYSQL_PWD DB_PASS PASSWD GITHUB_PAT SESSION_COOKIE PROXY_AUTHORIZATION
  GH_TOKEN_OLD TOKEN_GITHUB SECRET_OF_APP CLIENT_SECRET_VALUE MyApiKey openaiApiKey`
    .split(/\s+/)
    .map((name, at) => [name, `${SECRET}-${String(at)}`]),
);
const addresses = {
  DATABASE_URL: `postgres://app:${SECRET}@db.local/x`,
  BROKERS: `amqp://app:${SECRET}@one:1,two:2`,
};
const plain = {
  KEYBOARD_LAYOUT: 'us-international',
  TOKENIZERS_PARALLELISM: 'trueish-value',
  SSH_AUTH_SOCK: '/run/user/1000/agent.sock',
  PUBLIC_KEY: 'ssh-ed25519 AAAAC3NzaC1lZDI1',
  SSL_KEY: '/etc/ssl/private/server.pem',
  OLDPWD: '/home/someone/project',
};

test('masks every variable with the name of a credential, and passwords in addresses', async () => {
  const env = { ...secrets, ...addresses, ...plain };
  const cwd = folder({
    'agent.mjs': 'export default (m) => `it is ${process.env[m.at(-1).content]}`;',
    'cases.jsonl': Object.keys(env).map((name) => ({ id: name, input: name, expected: 'x' })),
  });
  const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-v', '-o', 'log.jsonl', '-o', 'report.md'];
  const { exitCode, stdout, stderr } = await assay(args, { cwd, env });
  const report = readFileSync(join(cwd, 'report.md'), 'utf8');
  expect({ exitCode, isLeaked: `${stdout}${stderr}${report}`.includes(SECRET) }).toEqual({
    exitCode: 1,
    isLeaked: false,
  });
  expect(outputsIn(join(cwd, 'log.jsonl'))).toEqual({
    ...Object.fromEntries(Object.keys(secrets).map((name) => [name, 'it is ***'])),
    DATABASE_URL: 'it is postgres://***@db.local/x',
    BROKERS: 'it is amqp://***@one:1,two:2',
    ...Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, `it is ${value}`])),
  });
});
