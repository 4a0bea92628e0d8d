// Reads the source of a content part: a data URL or a URL.

import type { ContentPart, Message } from '../model/case.ts';
import { isObject } from '../json/is-object.ts';

export type ContentSource = { mime: string; base64: string } | { url: string };

/** Reads the source of a part in any known format; undefined if it has none. */
export function readSource(part: ContentPart): ContentSource | undefined {
  const given = part.source ?? part['image_url'] ?? part['input_audio'] ?? part['file'] ?? part['url'];
  const text = isObject(given) ? (given['url'] ?? given['file_data']) : given;
  if (typeof text === 'string') return fromText(text);
  if (!isObject(given) || typeof given['data'] !== 'string') return undefined;
  // The formats of Anthropic's messages and of audio in chat completions.
  const { data, media_type: mime, format } = given;
  const type = typeof mime === 'string' ? mime : typeof format === 'string' ? `audio/${format}` : undefined;
  return { mime: type ?? 'application/octet-stream', base64: data };
}

/** The content of a text file; undefined for other types and URLs. */
export function sourceText(source: ContentSource): string | undefined {
  if (!('base64' in source) || !/^(?:text\/|application\/(?:json|xml|yaml)\b)/.test(source.mime))
    return undefined;
  return Buffer.from(source.base64, 'base64').toString('utf8');
}

/** The URL of a source, or its bytes as a data URL. */
export function sourceUrl(source: ContentSource): string {
  return 'url' in source ? source.url : `data:${source.mime};base64,${source.base64}`;
}

/** The content of a message as one text; parts that are not text become JSON. */
export function contentText(content: Message['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? [])
    .map((part) => (typeof part['text'] === 'string' ? part['text'] : JSON.stringify(part)))
    .join('\n');
}

function fromText(text: string): ContentSource {
  const [head, mime = '', encoding] = /^data:([^;,]*)(?:;[^;,]*)*?(;base64)?,/.exec(text) ?? [];
  if (head === undefined) return { url: text };
  const data = text.slice(head.length);
  const base64 = encoding === undefined ? Buffer.from(decodeURIComponent(data)).toString('base64') : data;
  return { mime: mime === '' ? 'text/plain' : mime, base64 };
}
