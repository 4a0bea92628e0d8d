import { expect, test } from 'vitest';
import type { FromPython } from './python-messages.ts';
import { createMessageReader } from './python-messages.ts';

function read(chunks: readonly (string | Buffer)[]): { messages: FromPython[]; broken: number } {
  const messages: FromPython[] = [];
  let broken = 0;
  const push = createMessageReader(
    (message) => messages.push(message),
    () => (broken += 1),
  );
  for (const chunk of chunks) push(Buffer.from(chunk));
  return { messages, broken };
}

test('reads messages however they are cut, also inside of a character', () => {
  const text = Buffer.from(
    '{"type":"loaded"}\n{"type":"returned","id":1,"value":"é"}\n{"type":"alive","id":2}\n',
  );
  const expected = [{ type: 'loaded' }, { type: 'returned', id: 1, value: 'é' }, { type: 'alive', id: 2 }];
  for (let size = 1; size < text.length; size += 1) {
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
      text.subarray(index * size, (index + 1) * size),
    );
    expect(read(chunks)).toEqual({ messages: expected, broken: 0 });
  }
});

test.each([
  ['not JSON'],
  ['[]'],
  ['{"type":"other"}'],
  ['{"type":"returned"}'],
  ['{"type":"printed","id":1}'],
  ['{"type":"raised","id":1,"message":"a","stack":{}}'],
  ['{"type":"unloadable","message":"a"}'],
  ['{"type":"old"}'],
])('anything else breaks the channel: %s', (line) => {
  expect(read([`${line}\n{"type":"loaded"}\n`])).toEqual({ messages: [], broken: 1 });
});
