// Where the bytes of a content part are: in a data URL, or at an address.

import type { ContentPart } from '../model/case.ts';
import { isObject } from '../json/is-object.ts';

/** The bytes as base64, or where they can be had. */
export type ContentSource = { mime: string; base64: string } | { url: string };

/** Reads the source of a part in any of its forms; nothing if the part has none. */
export function readSource(part: ContentPart): ContentSource | undefined {
  const given = part.source ?? part['image_url'] ?? part['input_audio'] ?? part['file'] ?? part['url'];
  const text = isObject(given) ? (given['url'] ?? given['file_data']) : given;
  if (typeof text === 'string') return fromText(text);
  if (!isObject(given) || typeof given['data'] !== 'string') return undefined;
  // The forms of Anthropic's messages and of audio in chat completions.
  const { data, media_type: mime, format } = given;
  const type = typeof mime === 'string' ? mime : typeof format === 'string' ? `audio/${format}` : undefined;
  return { mime: type ?? 'application/octet-stream', base64: data };
}

/** The bytes of a text file as text. */
export function textOfSource(source: ContentSource): string | undefined {
  if (!('base64' in source) || !/^(?:text\/|application\/(?:json|xml|yaml)\b)/.test(source.mime))
    return undefined;
  return Buffer.from(source.base64, 'base64').toString('utf8');
}

function fromText(text: string): ContentSource {
  const [head, mime = '', encoding] = /^data:([^;,]*)(?:;[^;,]*)*?(;base64)?,/.exec(text) ?? [];
  if (head === undefined) return { url: text };
  const data = text.slice(head.length);
  const base64 = encoding === undefined ? Buffer.from(decodeURIComponent(data)).toString('base64') : data;
  return { mime: mime === '' ? 'text/plain' : mime, base64 };
}
