import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageAgents, pageFiles } from './page.ts';

test('the agents of docs/frameworks.md are those of this folder, and each has a command', () => {
  const files = Object.entries(pageFiles()).filter(([name]) => name.endsWith('.ts'));
  const names = files.map(([name]) => name);
  expect(Object.fromEntries(files)).toEqual(
    Object.fromEntries(names.map((name) => [name, readFileSync(join('compat', name), 'utf8')])),
  );
  expect(['agents/forecast.ts', ...pageAgents()].sort()).toEqual(names.sort());
});
