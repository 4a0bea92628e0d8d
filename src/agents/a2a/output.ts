// Parts of artifacts and messages in, the output that assertions see out.

import { createHash } from 'node:crypto';
import type { Part } from '@a2a-js/sdk';

/** A file that an agent gave, without its bytes. */
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
 * The value of some groups of parts, each an artifact or a message. Texts alone are one text: pieces of a group follow each
 * other directly, groups on lines of their own. One piece of data alone is its value, several are a list of their values.
 * Anything else is the list of all parts. Nothing is null.
 */
export function outputOf(groups: readonly (readonly Part[])[]): unknown {
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

/** The same as text, for messages. */
export function textOfParts(parts: readonly Part[]): string {
  const output = outputOf([parts]);
  return typeof output === 'string' ? output : output === null ? '' : JSON.stringify(output);
}

/** The parts of a group; pieces of text that follow each other are one. */
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
      // The type of the SDK says `any`.
      return { type: 'data', data: content.value as unknown };
    case 'url':
      return { ...fileOf(filename, mediaType), url: content.value };
    case 'raw': {
      const { length } = content.value;
      const sha256 = createHash('sha256').update(content.value).digest('hex');
      return { ...fileOf(filename, mediaType), bytes: length, sha256 };
    }
    case undefined:
      return undefined;
  }
}

function fileOf(name: string, media_type: string): FileReference {
  return { type: 'file', ...(name !== '' && { name }), ...(media_type !== '' && { media_type }) };
}
