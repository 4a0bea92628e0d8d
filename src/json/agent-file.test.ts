import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { explainForeignFile, findAgentFile, folderOfAgentFile, isAgentFolder } from './agent-file.ts';

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-agent-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

test.each(['package.yao', 'assay.agent.json'])('%s is always the agent', (name) => {
  const folder = folderWith({ [name]: '{}' });
  expect(findAgentFile(folder)).toBe(join(folder, name));
});

test.each([
  '{ "run": { "module": "./agent.ts" } }',
  '{ "connector": "openai.mini" }',
  '{ "mcp": { "servers": ["shop"] } }',
  '\uFEFF{\n  // a comment with "quotes\n  "connector": "http://x//y", /* and */\n}',
  // Broken, but meant for us: the reader says what is wrong.
  '{ "run": { "module": "./agent.ts" }',
])('an agent.json that says what to run is the agent: %s', (text) => {
  const folder = folderWith({ 'agent.json': text });
  const file = join(folder, 'agent.json');
  expect([findAgentFile(folder), folderOfAgentFile(file), explainForeignFile(folder, folder)]).toEqual([
    file,
    folder,
    undefined,
  ]);
});

test.each([
  // An A2A agent card.
  '{ "name": "Weather", "description": "d", "url": "https://x", "version": "1", "skills": [], "capabilities": {} }',
  '{ "model": "m", "provider": "p", "servers": [] }',
  '{ "run": "npm start" }',
  '// { "run": { "module": "x" } }\n{ "name": "x" }',
  '[1]',
  '',
  'not json',
  `{"a": "${'x'.repeat(1_000_001)}", "run": {"module": "./agent.ts"}}`,
  '/*'.repeat(400_000),
  String.raw`"\"`.repeat(300_000),
])('an agent.json of another tool is left alone: %.40s', (text) => {
  const folder = folderWith({ 'agent.json': text });
  expect([isAgentFolder(folder), findAgentFile(folder), explainForeignFile(folder, folder)]).toEqual([
    false,
    undefined,
    'agent.json is not read: it has none of run, connector, mcp; if it describes an agent for Assay, call it assay.agent.json',
  ]);
});

test('two files for one agent are an error that names both', () => {
  const folder = folderWith({ 'package.yao': '{}', 'agent.json': '{ "connector": "a" }' });
  expect(() => findAgentFile(folder, { cwd: folder })).toThrow(
    'two files describe one agent: package.yao and agent.json',
  );
});

test('a card beside package.yao is no second description', () => {
  const folder = folderWith({ 'package.yao': '{}', 'agent.json': '{ "name": "card", "skills": [] }' });
  expect(findAgentFile(folder)).toBe(join(folder, 'package.yao'));
});
