// Files that no reader can use: exit 2 with the file, its line and the remedy, soon and in a few lines.

import { expect, test } from 'vitest';
import { assay, folder } from '../support/assay.ts';
import { chat, openai } from '../support/assistant-files.ts';

const CASES = 'assistants/chat/tests/inputs.jsonl';
const files = {
  ...chat(openai('http://127.0.0.1:9'), [{ id: 'a', input: 'x' }]),
  'assistants/chat/package.yao': { connector: 'small', mcp: { servers: ['tools'] } },
  'assistants/chat/mcps/tools.mcp.yao': { transport: 'stdio', command: 'false', arguments: [] },
};
const TEST = ['test', '-i', CASES];
const READERS: [string, string[]][] = [
  [CASES, TEST],
  ['.env', TEST],
  ['assay.config.json', TEST],
  ['assay.config.yml', TEST],
  ['assistants/chat/package.yao', TEST],
  ['assistants/chat/prompts.yml', TEST],
  ['assistants/chat/mcps/tools.mcp.yao', TEST],
  ['connectors/small.conn.yao', TEST],
  ['tests/a.test.json', ['validate']],
  ['tests/a.suite.yml', ['run', 'a']],
  ['vars.json', [...TEST, '--var-file', 'vars.json']],
  ['vars.yml', [...TEST, '--var-file', 'vars.yml']],
  ['context.json', [...TEST, '--ctx', 'context.json']],
];

test.each(READERS)('%s in UTF-16, with bytes of Latin-1, and nested', async (file, args) => {
  const run = async (content: Uint8Array): Promise<{ exitCode: number | null; stderr: string }> => {
    const cwd = folder({ ...files, [file]: content });
    const { exitCode, stderr } = await assay(args, { cwd, env: { SHOP_KEY: 'k' } });
    return { exitCode, stderr };
  };
  const [utf16, latin1, nested] = await Promise.all([
    run(Buffer.from('{"id": "hello", "input": "x"}\n'.repeat(40_000), 'utf16le')),
    run(Buffer.from('{"id": "hello"}\n# é\n', 'latin1')),
    run(Buffer.from(`\n${'{"a":[['.repeat(50_000)}`)),
  ]);
  expect(utf16).toEqual({
    exitCode: 2,
    stderr: expect.stringContaining('the file is UTF-16: save it as UTF-8'),
  });
  expect(utf16.stderr.split('\n').length).toBeLessThan(5);
  expect(latin1).toEqual({ exitCode: 2, stderr: expect.stringContaining('save the file as UTF-8') });
  expect(latin1.stderr).toContain(`${file}:2`);
  // A line of `.env` that sets nothing is ignored.
  if (file === '.env') return;
  expect(nested.exitCode).toBe(2);
  expect(nested.stderr).toMatch(/nested deeper than 500 levels|the object is not closed/);
  expect(nested.stderr).toContain(`${file}:2`);
});

test('a nested case is refused with its line, also from standard input', async () => {
  const cwd = folder(files);
  const input = `{"id":"a","input":"x"}\n{"id":"b","input":"x","options":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}\n`;
  const { exitCode, stderr } = await assay(['test', '-i', '-', '-n', 'chat'], {
    cwd,
    input,
    env: { SHOP_KEY: 'k' },
  });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: 'stdin:2: "options" is nested deeper than 500 levels\n',
  });
});
