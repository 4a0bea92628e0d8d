import { expect, test } from 'vitest';
import { programName } from './how-started.ts';

const LOCAL = '/app/node_modules/.bin/assay';

test.each([
  ['npx', { npm_config_user_agent: 'npm/11.1.0 node/v22.0.0 linux x64' }, LOCAL, 'npx assay'],
  ['pnpm', { npm_config_user_agent: 'pnpm/9.1.0 npm/? node/v22.0.0 linux x64' }, LOCAL, 'pnpm exec assay'],
  ['Yarn', { npm_config_user_agent: 'yarn/1.22.22 npm/? node/v22.0.0 linux x64' }, LOCAL, 'yarn assay'],
  ['Bun', { npm_config_user_agent: 'bun/1.1.0 npm/? node/v22.0.0 linux x64' }, LOCAL, 'bunx assay'],
  ['a manager we do not know', { npm_config_user_agent: 'else/1.0' }, '/usr/bin/assay', 'assay'],
  ['a global installation', { PATH: '/usr/bin:/bin' }, '/usr/bin/assay', 'assay'],
  ['the folder of programs on the path', { PATH: '/app/node_modules/.bin:/bin' }, LOCAL, 'assay'],
  ['the path of a local installation', { PATH: '/usr/bin:/bin' }, LOCAL, 'npx assay'],
  ['a clone', { PATH: '/usr/bin' }, '/clone/dist/cli.js', 'assay'],
  ['code that imports it', {}, undefined, 'assay'],
])('names the program for %s', (_, env, file, expected) => {
  expect(programName({ env, file })).toBe(expected);
});
