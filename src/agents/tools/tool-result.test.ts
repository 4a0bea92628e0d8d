import { expect, test } from 'vitest';
import { toToolAnswer } from './tool-result.ts';

const PNG = Buffer.from('png!').toString('base64');
const text = { type: 'text' as const, text: 'look' };
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const shownImage = { type: 'image', mimeType: 'image/png', bytes: 4 };
const sentImage = { type: 'image', source: `data:image/png;base64,${PNG}` };

function resource(mimeType: string | undefined, content: string) {
  const blob = Buffer.from(content).toString('base64');
  return { type: 'resource' as const, resource: { uri: 'file:///a/report.x', mimeType, blob } };
}

test('images and audio go to the model; the result has their type and size', () => {
  expect(toToolAnswer({ content: [text, image] })).toEqual({
    result: [text, shownImage],
    media: [sentImage],
  });
  const audio = { type: 'audio' as const, data: PNG, mimeType: 'audio/wav' };
  expect(toToolAnswer({ content: [audio], structuredContent: { seconds: 3 } })).toEqual({
    result: { seconds: 3 },
    media: [{ type: 'audio', source: `data:audio/wav;base64,${PNG}` }],
  });
  expect(toToolAnswer({ content: [image], isError: true })).toEqual({
    error: JSON.stringify([shownImage]),
    media: [sentImage],
  });
});

test.each([
  ['image/png', { bytes: 4 }, [{ type: 'image', source: `data:image/png;base64,${PNG}` }]],
  [
    'application/pdf',
    { bytes: 4 },
    [{ type: 'file', source: `data:application/pdf;base64,${PNG}`, name: 'report.x' }],
  ],
  ['application/zip', { bytes: 4 }, undefined],
  [undefined, { bytes: 4 }, undefined],
  ['text/csv', { text: 'png!' }, undefined],
  ['image/svg+xml', { text: 'png!' }, undefined],
])('a resource of type %s', (mimeType, content, media) => {
  expect(toToolAnswer({ content: [resource(mimeType, 'png!')] })).toEqual({
    result: [{ type: 'resource', resource: { uri: 'file:///a/report.x', mimeType, ...content } }],
    ...(media !== undefined && { media }),
  });
});

test('text, links and structured content stay as they are', () => {
  expect(toToolAnswer({ content: [{ type: 'text', text: '{"a": 1}' }] })).toEqual({ result: { a: 1 } });
  const link = { type: 'resource_link' as const, uri: 'file:///a', name: 'a' };
  expect(toToolAnswer({ content: [text, link] })).toEqual({ result: [text, link] });
  const textResource = { type: 'resource' as const, resource: { uri: 'a', text: 'b' } };
  expect(toToolAnswer({ content: [textResource] })).toEqual({ result: [textResource] });
});
