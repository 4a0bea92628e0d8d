import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CaseInput, Message } from '../../model/case.ts';
import { findSource, inlineFiles, messagesOf } from './messages.ts';

let folder: string;
let root: string;
let base: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'assay-messages-')));
  root = path.join(folder, 'app');
  base = path.join(root, 'tests');
  mkdirSync(base, { recursive: true });
  writeFileSync(path.join(base, 'dot.png'), Buffer.from([1, 2, 3]));
  writeFileSync(path.join(base, 'my file.txt'), 'hi');
  writeFileSync(path.join(base, 'strange'), 'x');
  writeFileSync(path.join(root, 'logo.SVG'), '<svg/>');
  writeFileSync(path.join(folder, 'secret.txt'), 'secret');
  symlinkSync(path.join(folder, 'secret.txt'), path.join(base, 'link.txt'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const text = { type: 'text', text: 'hi' };
const user: Message = { role: 'user', content: 'hi' };

test.each<[string, CaseInput, Message[]]>([
  ['text', 'hi', [user]],
  ['a message', user, [user]],
  ['messages', [user, { role: 'assistant', content: 'yes' }], [user, { role: 'assistant', content: 'yes' }]],
  ['a part', text, [{ role: 'user', content: [text] }]],
  ['parts', [text, text], [{ role: 'user', content: [text, text] }]],
])('makes messages of %s', (_name, input, expected) => {
  expect(messagesOf(input)).toEqual(expected);
});

test('gives back the same array when no part names a file', () => {
  const messages: Message[] = [
    user,
    { role: 'user', content: [text, { type: 'image', source: 'https://x/y.png' }] },
  ];
  expect(inlineFiles(messages, { base, root })).toBe(messages);
});

test('replaces files with data URLs and leaves everything else alone', async () => {
  const messages: Message[] = [
    user,
    {
      role: 'user',
      content: [
        text,
        { type: 'image', source: 'file://dot.png', detail: 'low' },
        { type: 'image', source: 'file://../logo.SVG' },
        { type: 'file', source: 'file://my%20file.txt' },
        { type: 'file', source: 'file://./my file.txt' },
        { type: 'file', source: `file://${base}/strange` },
      ],
    },
  ];
  expect(await inlineFiles(messages, { base, root })).toEqual([
    user,
    {
      role: 'user',
      content: [
        text,
        { type: 'image', source: 'data:image/png;base64,AQID', detail: 'low' },
        { type: 'image', source: 'data:image/svg+xml;base64,PHN2Zy8+' },
        { type: 'file', source: 'data:text/plain;base64,aGk=' },
        { type: 'file', source: 'data:text/plain;base64,aGk=' },
        { type: 'file', source: 'data:application/octet-stream;base64,eA==' },
      ],
    },
  ]);
});

test('refuses files that are missing, outside the root or no files', async () => {
  expect(findSource('file://nope.png', { base, root })).toEqual({
    problem: 'file "nope.png" does not exist',
  });
  for (const name of ['../../secret.txt', 'link.txt', '/etc/passwd']) {
    expect(findSource(`file://${name}`, { base, root })).toEqual({
      problem: `file "${name}" lies outside the application root ${root}`,
    });
  }
  expect(findSource('file://.', { base, root })).toEqual({ problem: '"." is not a file' });
  const messages: Message[] = [{ role: 'user', content: [{ type: 'image', source: 'file://nope.png' }] }];
  await expect(inlineFiles(messages, { base, root })).rejects.toMatchObject({
    name: 'AttemptError',
    code: 'harness',
    message: 'file "nope.png" does not exist',
  });
});
