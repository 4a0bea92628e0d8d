// What the tests of definitions share: an application with a type, a test and perhaps a suite.

import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { assay, folder } from './assay.ts';

/** Answers with what it sees. */
export const ECHO = `export default (messages, ctx) => JSON.stringify({
  said: messages.at(-1).content,
  variables: ctx.variables,
  isDate: ctx.variables?.Since instanceof Date,
});\n`;

export const variable = (name: string, dataType: string, more = {}): Record<string, unknown> => ({
  name,
  displayName: name,
  dataType,
  valueSource: 'freeform',
  required: false,
  ...more,
});

export const TONE = {
  id: 'tone',
  name: 'Tone',
  kind: 'agent-eval',
  variablesSchema: {
    schemaVersion: '1.0',
    variables: [
      variable('Language', 'string', {
        valueSource: 'static',
        possibleValues: [{ value: 'de' }, { value: 'en' }, { value: 'fr' }],
        defaultValue: 'en',
      }),
      variable('Count', 'number', { defaultValue: 1 }),
      variable('Loud', 'boolean'),
      variable('Since', 'date', { defaultValue: '2026-01-31' }),
      variable('Note', 'string'),
    ],
  },
};

export type Override = Record<string, unknown>;

export function application({
  overrides = {},
  cases = [{ id: 'a', input: 'hi' }],
  files = {},
  options,
}: {
  overrides?: Record<string, Override>;
  cases?: unknown[];
  files?: Record<string, unknown>;
  options?: unknown;
} = {}): string {
  return folder({
    'app.yao': '{}',
    'tests/echo.mjs': ECHO,
    'tests/tone.type.json': TONE,
    'tests/greeting.test.json': {
      id: 'greeting',
      name: 'Greeting',
      type: 'tone',
      agent: './echo.mjs',
      cases,
      tags: ['smoke'],
      ...(options !== undefined && { options }),
      variables: { variables: overrides },
    },
    ...files,
  });
}

export const suite = (more = {}): Record<string, unknown> => ({
  'tests/nightly.suite.json': { id: 'nightly', name: 'Nightly', tests: ['greeting'], ...more },
});

export type Report = {
  summary: Record<string, unknown>;
  results: { id: string; status: string; output: string; variables: Record<string, unknown> }[];
  resolved_variables?: { values: Record<string, unknown>; sources: Record<string, string> };
  tests?: { test: string; resolved_variables: { values: Record<string, unknown> } }[];
};

export async function report(
  args: string[],
  cwd: string,
  more: Record<string, string> = {},
): Promise<Report> {
  const { exitCode, stdout, stderr } = await assay([...args, '--json'], { cwd, env: more });
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout) as Report;
}

export const refusal = async (args: string[], cwd: string): Promise<[number | null, string]> => {
  const { exitCode, stderr, stdout } = await assay(args, { cwd });
  expect(stdout).toBe('');
  return [exitCode, stderr];
};

export function readText(path: string): string {
  return readFileSync(path, 'utf8');
}
