import { expect, test } from 'vitest';
import { secretsInEnv } from './environment.ts';

test.each([
  ['OPENAI_KEY', 'abcdef12345', ['abcdef12345']],
  ['KEY', '/Kx8Qm2Zp9Lw4Rt7Yv1Bn5Cd3Fg6Hj0=', ['/Kx8Qm2Zp9Lw4Rt7Yv1Bn5Cd3Fg6Hj0=']],
  ['API_KEYS', 'first-key-1,second-key-2', ['first-key-1,second-key-2', 'first-key-1', 'second-key-2']],
  [
    'CREDENTIALS',
    '{"type":"account","private_key":"-----BEGIN"}',
    ['{"type":"account","private_key":"-----BEGIN"}', '-----BEGIN'],
  ],
  ['SETTINGS', '{"private_key":"-----BEGIN"}', ['-----BEGIN']],
  ['CONNECTION', 'Server=db;User Id=app;Password=s3cret-word;', ['s3cret-word']],
  ['DSN', "host=db password='s3cret word' user=app", ['s3cret word']],
  ['OTEL_HEADERS', 'api-key=abcdef12345,x=y', ['abcdef12345,x=y', 'abcdef12345']],
  [
    'HEADERS',
    'x-key=abcdef12345,authorization=Bearer%20qwertz98765',
    [
      'abcdef12345,authorization=Bearer%20qwertz98765',
      'abcdef12345,authorization=Bearer qwertz98765',
      'abcdef12345',
      'Bearer%20qwertz98765',
      'Bearer qwertz98765',
      'qwertz98765',
    ],
  ],
  ['MONGO', 'mongodb://app:s3cret-word@one:1,two:2/x', ['s3cret-word']],
  [
    'INDEX',
    'https://a.b https://tok_12345678@c.d/',
    ['tok_12345678', 'tok_12345678:', 'dG9rXzEyMzQ1Njc4Og=='],
  ],
  ['DATABASE_URL', 'postgres://postgres@localhost/postgres', []],
  ['JDBC', 'jdbc:postgresql://db/x?user=someone-here&password=s3cret-word', ['s3cret-word']],
  ['PWD', '/home/someone', []],
  ['OLDPWD', 'C:\\Users\\someone', []],
  ['SSH_PRIVATE_KEY', '/home/someone/.ssh/id_ed25519', []],
  ['SSL_KEY', './certificates/server.pem', []],
  ['TOKEN', 'https://issuer.example/token', []],
  ['AUTH', 'disabled', []],
  ['KEY', 'en_US.UTF-8', []],
  ['KEY', '1234567', []],
  ['PUBLIC_KEY', 'ssh-ed25519 AAAAC3NzaC1lZDI1', []],
])('secrets of the environment: %s=%s', (name, value, secrets) => {
  expect(secretsInEnv({ [name]: value })).toEqual(secrets);
});

test('finds the password of a database address in every form', () => {
  const found = secretsInEnv({ DATABASE_URL: 'postgres://app:s3cret%2Fword@db/x' });
  expect(found).toEqual(expect.arrayContaining(['s3cret%2Fword', 's3cret/word', 'app:s3cret/word']));
});
