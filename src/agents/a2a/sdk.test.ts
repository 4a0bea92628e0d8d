import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError } from '../../errors.ts';
import { findSdk, loadSdk } from './sdk.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-sdk-')));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function install(version: string): string {
  const root = join(folder, version);
  const place = join(root, 'node_modules/@a2a-js/sdk');
  mkdirSync(place, { recursive: true });
  const exports = { './client': './client.js' };
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name: '@a2a-js/sdk', version, exports }));
  writeFileSync(join(place, 'client.js'), 'module.exports = { answer: 42 };');
  return root;
}

test('the application comes first, then Assay itself', async () => {
  const root = install('1.3.9');
  expect(findSdk([root])).toBe(join(root, 'node_modules/@a2a-js/sdk/client.js'));
  expect(findSdk([folder, root])).toBe(join(root, 'node_modules/@a2a-js/sdk/client.js'));
  expect(findSdk([folder])).toContain(join('node_modules', '@a2a-js', 'sdk'));
  expect((await loadSdk([folder])).ClientFactory).toBeTypeOf('function');
});

test('a version before 1 is refused', () => {
  const root = install('0.3.4');
  expect(() => findSdk([root])).toThrow(
    new ConfigError('A2A agents need version 1.3 or newer of the package @a2a-js/sdk, not 0.3.4', {
      hint: 'npm i -D @a2a-js/sdk@latest',
    }),
  );
});
