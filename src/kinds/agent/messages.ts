// The input of a case in, the messages an agent is called with out.

import { realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AttemptError } from '../../errors.ts';
import type { CaseInput, ContentPart, Message } from '../../model/case.ts';
import { isInside } from '../../platform/paths.ts';

/** Where relative `file://` sources start from, and the folder they must stay inside. */
export type FilePlace = { base: string; root: string };

const FILE_SCHEME = 'file://';
const MAX_FILE_BYTES = 100 * 1024 * 1024;

/** Turns every form of input into a conversation: text and content parts become one message of the user. */
export function messagesOf(input: CaseInput): Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (!Array.isArray(input)) return isMessage(input) ? [input] : [{ role: 'user', content: [input] }];
  // A checked list holds either messages or parts, never both.
  if (input.every(isMessage)) return input;
  return [{ role: 'user', content: input }];
}

/** Replaces files in parts with data URLs; returns the same array if no part names a file. */
export function inlineFiles(messages: Message[], place: FilePlace): Message[] | Promise<Message[]> {
  if (!messages.some((message) => partsOf(message).some(namesFile))) return messages;
  return Promise.all(messages.map((message) => inlineMessage(message, place)));
}

/** The content parts of a message; none if its content is text. */
export function partsOf(message: Message): ContentPart[] {
  return Array.isArray(message.content) ? message.content : [];
}

/** True if the part's source is a local file. */
export function namesFile(part: ContentPart): part is ContentPart & { source: string } {
  return typeof part.source === 'string' && part.source.startsWith(FILE_SCHEME);
}

/** Finds the file a `file://` source names, or says why it cannot be used. */
export function findSource(
  source: string,
  { base, root }: FilePlace,
): { file: string } | { problem: string } {
  const name = source.slice(FILE_SCHEME.length);
  const file = realpathOf(path.resolve(base, name)) ?? realpathOf(path.resolve(base, decode(name)));
  if (file === undefined) return { problem: `file "${name}" does not exist` };
  if (!isInside(realpathOf(root) ?? root, file)) {
    return { problem: `file "${name}" lies outside the application root ${root}` };
  }
  const stats = statSync(file);
  if (!stats.isFile()) return { problem: `"${name}" is not a file` };
  if (stats.size > MAX_FILE_BYTES) return { problem: `file "${name}" is larger than 100 MB` };
  return { file };
}

function isMessage(value: Message | ContentPart): value is Message {
  return 'role' in value;
}

async function inlineMessage(message: Message, place: FilePlace): Promise<Message> {
  if (!partsOf(message).some(namesFile)) return message;
  const content = await Promise.all(partsOf(message).map((part) => inlinePart(part, place)));
  return { ...message, content };
}

async function inlinePart(part: ContentPart, place: FilePlace): Promise<ContentPart> {
  if (!namesFile(part)) return part;
  const found = findSource(part.source, place);
  if ('problem' in found) throw new AttemptError('harness', found.problem);
  const bytes = await readFile(found.file);
  return { ...part, source: `data:${mimeOf(found.file)};base64,${bytes.toString('base64')}` };
}

function realpathOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function mimeOf(file: string): string {
  return MIME_TYPES[path.extname(file).toLowerCase()] ?? 'application/octet-stream';
}

const MIME_TYPES: Record<string, string> = {
  '.aac': 'audio/aac',
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.flac': 'audio/flac',
  '.gif': 'image/gif',
  '.heic': 'image/heic',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.m4a': 'audio/mp4',
  '.md': 'text/markdown',
  '.mov': 'video/quicktime',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.ogg': 'audio/ogg',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.svg': 'image/svg+xml',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
  '.txt': 'text/plain',
  '.wav': 'audio/wav',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.zip': 'application/zip',
};
