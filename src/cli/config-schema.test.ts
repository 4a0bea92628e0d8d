import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { CONFIG_KEYS, resolveSettings } from '../application/settings.ts';
import { configSchema } from './config-schema.ts';

const schema = JSON.parse(JSON.stringify(configSchema())) as { properties: Record<string, object> };
const validate = new Ajv({ strict: false }).compile(schema);

function isFineForSettings(config: Record<string, unknown>): boolean {
  try {
    resolveSettings({ flags: {}, env: {}, config });
    return true;
  } catch {
    return false;
  }
}

test('schemas/config.schema.json is up to date', () => {
  const text = readFileSync(new URL('../../schemas/config.schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(text)).toEqual(schema);
});

test('has all settings, each with a description', () => {
  const { $schema, ...settings } = schema.properties;
  expect($schema).toEqual({ type: 'string', description: 'the schema of this file, for editors' });
  expect(Object.keys(settings)).toEqual([...CONFIG_KEYS].sort());
  expect(
    Object.entries(settings).filter(([, setting]) => !('description' in setting && setting.description)),
  ).toEqual([]);
});

test.each([
  [{}, true],
  [{ timeout: '1m30s', parallel: 4, runs: 2, retries: 0, fail_fast: true }, true],
  [{ min_pass_rate: 80.5, output: 'report.md', tag: ['a', 'b'], name: 'keyword' }, true],
  [{ min_pass_rate: 0 }, true],
  [{ timeout: 30 }, false],
  [{ timeout: 'soon' }, false],
  [{ parallel: 0 }, false],
  [{ parallel: 1001 }, false],
  [{ runs: 1.5 }, false],
  [{ min_pass_rate: 0.8 }, false],
  [{ min_pass_rate: 101 }, false],
  [{ fail_fast: 'perhaps' }, false],
  [{ output: [1] }, false],
  [{ name: ' ' }, false],
])('%j is %s for schema and settings', (config, isFine) => {
  expect({ schema: validate(config), settings: isFineForSettings(config) }).toEqual({
    schema: isFine,
    settings: isFine,
  });
});
