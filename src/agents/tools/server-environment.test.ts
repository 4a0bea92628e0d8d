import { expect, test } from 'vitest';
import { environmentHint, serverEnvironment } from './server-environment.ts';

test('a server gets what programs need and what its file names, and no keys', () => {
  const all = {
    PATH: '/bin',
    HOME: '/home/me',
    LC_ALL: 'C',
    TMPDIR: '/tmp',
    http_proxy: 'http://proxy:3128',
    HTTPS_PROXY: 'http://me:secret@proxy:3128',
    SHELL: '() { :; }',
    ASSAY_RUN_MARK: '1.',
    ASSAY_STORE: 'postgres://me:secret@host/db',
    OPENAI_API_KEY: 'sk-1',
    HOMEPAGE: 'x',
    PATHS: 'x',
  };
  expect(serverEnvironment({ TOKEN: 't', HOME: '/srv' }, all)).toEqual({
    PATH: '/bin',
    HOME: '/srv',
    LC_ALL: 'C',
    TMPDIR: '/tmp',
    http_proxy: 'http://proxy:3128',
    ASSAY_RUN_MARK: '1.',
    TOKEN: 't',
  });
});

test('the hint names a variable that the server asks for and that is set', () => {
  const all = { GITHUB_TOKEN: 'x', PATH: '/bin' };
  expect(environmentHint('Error: GITHUB_TOKEN is required, see PATH', { PATH: '/bin' }, all)).toBe(
    'it was not given GITHUB_TOKEN: name it in its file, "env": {"GITHUB_TOKEN": "$ENV.GITHUB_TOKEN"}',
  );
  expect(environmentHint('Error: no database', {}, all)).toBe(
    'if it needs an environment variable, name it in its file: "env": {"TOKEN": "$ENV.TOKEN"}',
  );
});
