// Turns the parts of artifacts and messages into the output that assertions see.

import { createHash } from 'node:crypto';
import type { Part } from '@a2a-js/sdk';

/** A file that an agent returned, without its bytes. */
type FileReference = {
  type: 'file';
  name?: string;
  media_type?: string;
  url?: string;
  bytes?: number;
  sha256?: string;
};

type OutputPart = { type: 'text'; text: string } | { type: 'data'; data: unknown } | FileReference;

/**
 * Joins groups of parts; a group is an artifact or a message. Only text parts: one text, with a line break between groups.
 * Only data parts: the value of a single part, or a list of the values. Anything else: the list of all parts.
 * No parts: null.
 */
export function joinParts(groups: readonly (readonly Part[])[]): unknown {
  const parts = groups.map(joined).filter((group) => group.length > 0);
  const all = parts.flat();
  if (all.length === 0) return null;
  const texts = parts.map((group) => group.map((part) => (part.type === 'text' ? part.text : undefined)));
  if (texts.every((group) => group.every((text) => text !== undefined)))
    return texts.map((group) => group.join('')).join('\n');
  const values = all.flatMap((part) => (part.type === 'data' ? [part.data] : []));
  if (values.length < all.length) return all;
  return values.length === 1 ? values[0] : values;
}

/** The parts as text, for messages. */
export function partsText(parts: readonly Part[]): string {
  const output = joinParts([parts]);
  return typeof output === 'string' ? output : output === null ? '' : JSON.stringify(output);
}

/** Merges text parts that follow each other. */
function joined(parts: readonly Part[]): OutputPart[] {
  const found: OutputPart[] = [];
  for (const part of parts) {
    const next = toOutputPart(part);
    const last = found.at(-1);
    if (next === undefined) continue;
    if (next.type === 'text' && last?.type === 'text') last.text += next.text;
    else found.push(next);
  }
  return found.filter((part) => part.type !== 'text' || part.text !== '');
}

function toOutputPart({ content, filename, mediaType }: Part): OutputPart | undefined {
  switch (content?.$case) {
    case 'text':
      return { type: 'text', text: content.value };
    case 'data':
      // `any` in the SDK's types.
      return { type: 'data', data: content.value as unknown };
    case 'url':
      return { ...fileReference(filename, mediaType), url: content.value };
    case 'raw': {
      const { length } = content.value;
      const sha256 = createHash('sha256').update(content.value).digest('hex');
      return { ...fileReference(filename, mediaType), bytes: length, sha256 };
    }
    case undefined:
      return undefined;
  }
}

function fileReference(name: string, media_type: string): FileReference {
  return { type: 'file', ...(name !== '' && { name }), ...(media_type !== '' && { media_type }) };
}
