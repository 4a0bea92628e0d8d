// Converts a server's result into the answer for the model and the transcript.

import { basename } from 'node:path';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import type { ContentPart } from '../../model/case.ts';
import type { ToolAnswer } from './toolbox.ts';
import { jsonOrText } from '../../json/parse-json.ts';
import { quote } from '../../text/quote.ts';

/** Bytes with their type, as base64. */
type Media = { mime: string; data: string; name?: string };

/**
 * Prefers structured content, then text, then the list of parts. Images, audio and PDF files are for the model only: the
 * result, which goes to the transcript, has their type and size.
 */
export function toToolAnswer(result: CallToolResult): ToolAnswer {
  const { content, structuredContent, isError } = result;
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const isText = texts.length > 0 && texts.length === content.length;
  const media = content.flatMap(readMedia).flatMap(toContentPart);
  const seen = media.length === 0 ? {} : { media };
  const shown = content.map(withoutBytes);
  if (isError === true) {
    const other = content.length === 0 ? 'the tool failed without a message' : JSON.stringify(shown);
    return { error: texts.join('\n') || other, ...seen };
  }
  if (structuredContent !== undefined) return { result: structuredContent, ...seen };
  if (isText) return { result: decoded(texts.join('\n')) };
  return { result: shown, ...seen };
}

function readMedia(part: ContentBlock): Media[] {
  if (part.type === 'image' || part.type === 'audio') return [{ mime: part.mimeType, data: part.data }];
  if (part.type !== 'resource' || !('blob' in part.resource)) return [];
  const { blob, mimeType = 'application/octet-stream', uri } = part.resource;
  return [{ mime: mimeType, data: blob, name: basename(uri) }];
}

/** Models take no other types of files. */
function toContentPart({ mime, data, name }: Media): ContentPart[] {
  const type = isTextual(mime) ? undefined : /^(?:image|audio)(?=\/)|^application\/pdf$/.exec(mime)?.[0];
  if (type === undefined) return [];
  const source = `data:${mime};base64,${data}`;
  return [type === 'application/pdf' ? { type: 'file', source, name } : { type, source }];
}

/** The part with the size of its bytes instead of the bytes; text that was sent as bytes is text again. */
function withoutBytes(part: ContentBlock): Record<string, unknown> {
  if (part.type === 'image' || part.type === 'audio') {
    const { data, ...rest } = part;
    return { ...rest, bytes: Buffer.byteLength(data, 'base64') };
  }
  if (part.type !== 'resource' || !('blob' in part.resource)) return part;
  const { blob, ...rest } = part.resource;
  const content = isTextual(rest.mimeType ?? '')
    ? { text: Buffer.from(blob, 'base64').toString('utf8') }
    : { bytes: Buffer.byteLength(blob, 'base64') };
  return { ...part, resource: { ...rest, ...content } };
}

function isTextual(mime: string): boolean {
  return /^text\/|^application\/(?:json|xml|yaml)\b|\+(?:json|xml)\b/.test(mime);
}

/** Many servers send objects and lists as JSON text; other text stays text, also `42`. */
function decoded(text: string): unknown {
  return /^\s*[{[]/.test(text) ? jsonOrText(text) : text;
}

/** The message for arguments that are not an object, usually truncated JSON. */
export function notAnObjectMessage(given: unknown): string {
  return `invalid arguments: must be an object, as JSON, not ${quote(given)}`;
}
