// The code of docs/frameworks.md is the code of these agents, its cases pass, and its transcript is what is written down.

import { readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../test/e2e/assay.ts';
import { model, runAgent, transcriptOf } from './run-agent.ts';

const PAGE = readFileSync('docs/frameworks.md', 'utf8');
const FILES = Object.fromEntries(
  [...PAGE.matchAll(/^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$/gms)].map(([, name = '', text = '']) => [
    name,
    text,
  ]),
);
const COMMANDS = [...PAGE.matchAll(/assay test -i weather\.jsonl -n (\S+)/g)].map(([, agent = '']) => agent);

test('every agent of the page is one of these, and each has a command', () => {
  const agents = Object.keys(FILES).filter((name) => name.endsWith('.ts'));
  expect(Object.fromEntries(agents.map((name) => [name, FILES[name]]))).toEqual(
    Object.fromEntries(agents.map((name) => [name, readFileSync(join('compat', name), 'utf8')])),
  );
  expect(['agents/forecast.ts', ...COMMANDS].sort()).toEqual(agents.sort());
});

test.each(COMMANDS)('the cases of the page pass with %s', async (agent) => {
  const { url } = await model();
  const cwd = folder(FILES);
  symlinkSync(resolve('compat/node_modules'), join(cwd, 'node_modules'));
  const cases = (FILES['weather.jsonl'] ?? '').trim().split('\n');
  const { exitCode, stdout, results } = await runAgent(
    agent,
    cases.map((line) => JSON.parse(line) as object),
    { url, cwd },
  );
  expect(exitCode, `printed:\n${stdout}`).toBe(0);
  const { tool_calls: calls = [], ...said } = transcriptOf(results['calls']);
  // Results of tools that are text are compared as what they mean.
  const decoded = calls.map(({ name, arguments: given, result }) => ({
    name,
    arguments: given,
    result: typeof result === 'string' ? (JSON.parse(result) as unknown) : result,
  }));
  expect({ ...said, tool_calls: decoded }).toEqual(JSON.parse(FILES['agents/transcript.json'] ?? ''));
});
