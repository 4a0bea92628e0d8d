import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readPrompts } from './prompts.ts';

function folderOf(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-prompts-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

test('reads prompts and presets, with assets and the environment filled in', async () => {
  const folder = folderOf({
    'prompts.yml': '- role: system\n  content: |\n    Be $ENV.MOOD.\n    @assets/rules.md\n  name: base\n',
    'prompts/chat/friendly.yml': '- role: system\n  content: Smile.\n',
    'prompts/terse.yaml': '# nothing here yet\n',
    'assets/rules.md': 'Rule 1.',
  });
  expect(await readPrompts(folder, { cwd: folder, env: { MOOD: 'kind' } })).toEqual({
    prompts: [{ role: 'system', content: 'Be kind.\nRule 1.\n', name: 'base' }],
    presets: { 'chat.friendly': [{ role: 'system', content: 'Smile.' }], terse: [] },
    files: ['prompts.yml', 'assets/rules.md', 'prompts/chat/friendly.yml', 'prompts/terse.yaml'].map((name) =>
      join(folder, name),
    ),
    secrets: [],
    problems: [],
  });
});

test('a credential in a prompt is a secret', async () => {
  const folder = folderOf({ 'prompts.yml': '- {role: system, content: "key $ENV.SHOP_TOKEN"}' });
  const { secrets } = await readPrompts(folder, { cwd: folder, env: { SHOP_TOKEN: 'tok-12345678' } });
  expect(secrets).toEqual(['tok-12345678']);
});

test('broken YAML is told with its line', async () => {
  const folder = folderOf({ 'prompts.yml': '- role: system\n  content: a\n- role: user\n  content: b: c\n' });
  const { problems } = await readPrompts(folder, { cwd: folder, env: {} });
  expect(problems).toEqual([
    { message: 'invalid YAML: Nested mappings are not allowed in compact mappings', at: 'prompts.yml:4' },
  ]);
});

test('everything wrong with prompts is told at once', async () => {
  const folder = folderOf({
    'prompts.yml': [
      '- content: no role',
      '- role: system',
      '  content: [a]',
      '- just text',
      '- {role: sistem, content: x}',
      '- role: system',
      '  content: "@assets/missing.md and @assets/../prompts.yml and $ENV.NOWHERE"',
    ].join('\n'),
  });
  const { problems } = await readPrompts(folder, { cwd: folder, env: {} });
  expect(problems).toEqual([
    {
      at: 'prompts.yml:1',
      message: 'the prompt has no "role"',
      hint: 'it is system, user, assistant or developer',
    },
    {
      at: 'prompts.yml:3',
      message: 'the "content" of a prompt must be text',
      hint: 'write content: | and the text below',
    },
    { at: 'prompts.yml:4', message: 'a prompt needs "role" and "content"' },
    { at: 'prompts.yml:5', message: 'unknown role "sistem"', hint: 'did you mean "system"?' },
    { at: 'prompts.yml:7', message: '@assets/missing.md: no such file in assets' },
    { at: 'prompts.yml:7', message: '@assets/../prompts.yml: no such file in assets' },
    {
      at: 'prompts.yml:7',
      message: 'environment variable NOWHERE is not set; the prompt needs it',
      hint: 'set NOWHERE, or write it into the .env file',
    },
  ]);
});
