// `prompts` of a configuration in, the prompts with their labels out.

import { existsSync } from 'node:fs';
import { basename, extname, relative, resolve } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { readTextFile } from '../../json/text-file.ts';
import { parseYamlDocument } from '../../json/yaml-document.ts';
import type { Losses } from '../losses.ts';
import { readCsv } from './csv.ts';
import type { Folders } from './files.ts';
import { matchingFiles } from './files.ts';
import type { Source } from './source.ts';
import { items, readSource } from './source.ts';

type PromptMessage = { role: string; content: unknown };

/** A template: one text, or the messages of a chat. */
export type Prompt = { label: string; content: string | PromptMessage[]; at: string };

const TEXT_FILES = ['.txt', '.md', '.j2', '.json', '.jsonl', '.yaml', '.yml', '.csv'];
const SEPARATOR = '---';

/** Reads all prompts; those that are computed by code are lost. */
export async function readPrompts(source: Source, folders: Folders, losses: Losses): Promise<Prompt[]> {
  if (source.value === undefined) return [{ label: 'prompt', content: '{{prompt}}', at: source.at() }];
  const entries = isObject(source.value)
    ? labelledEntries(source, source.value)
    : items(source).map((item): Entry => ({ item }));
  const prompts: Prompt[] = [];
  for (const { item, label } of entries) prompts.push(...(await readEntry(item, label, folders, losses)));
  for (const [index, prompt] of prompts.entries())
    if (prompt.label === '') prompt.label = prompts.length === 1 ? 'prompt' : `prompt ${index + 1}`;
  return prompts;
}

type Entry = { item: Source; label?: string | undefined };

/** An object is one prompt, or has labels by their files. */
function labelledEntries(source: Source, value: Record<string, unknown>): Entry[] {
  if ('raw' in value || 'id' in value || 'label' in value) return [{ item: source }];
  return Object.entries(value).map(([file, label]) => {
    const item = { ...source, value: file, at: () => source.at(file) };
    return { item, label: typeof label === 'string' ? label : undefined };
  });
}

async function readEntry(
  item: Source,
  label: string | undefined,
  folders: Folders,
  losses: Losses,
): Promise<Prompt[]> {
  const { value } = item;
  const at = item.at();
  if (typeof value === 'string') return readText(value, label, at, folders, losses);
  if (!isObject(value)) throw new ConfigError('a prompt must be a text or an object', { at });
  if (value['config'] !== undefined)
    losses.missing(
      at,
      'prompts: config',
      'a prompt has no options of its own',
      'write them into the connector',
    );
  const name = value['label'] ?? (value['raw'] === undefined ? undefined : value['id']);
  const own = typeof name === 'string' ? name : label;
  const raw = value['raw'] ?? value['id'] ?? value['label'];
  if (typeof raw === 'string') return readText(raw, own, at, folders, losses);
  if (Array.isArray(raw)) return [makePrompt(JSON.stringify(raw), own, at)];
  throw new ConfigError('a prompt needs "raw" or "id"', { at });
}

async function readText(
  text: string,
  label: string | undefined,
  at: string,
  folders: Folders,
  losses: Losses,
): Promise<Prompt[]> {
  const code = /^(?:exec:|(?:file:\/\/)?\S+\.(?:[cm]?[jt]s|py|sh|rb|pl|php|bash)(?::\w+)?$)/.test(text);
  const remote = /^(?:langfuse|portkey|helicone|https?|package):/.test(text) && !/\s/.test(text);
  if (code || remote) {
    losses.missing(
      at,
      `prompts: ${text}`,
      code ? 'the prompt is made by code' : 'the prompt is kept by another service',
      'write the cases as a module (docs/cases.md#formats), which can build the text of each case',
    );
    return [];
  }
  const file = asFile(text, folders);
  if (file === undefined) return [makePrompt(text, label, at)];
  const files = await matchingFiles(file, at, folders);
  const [first = ''] = files;
  const listed = files.length === 1 && isYaml(first) ? await readSource(first, folders.cwd) : undefined;
  // A file may have the list of prompts itself.
  if (listed !== undefined && Array.isArray(listed.value) && !isChat(listed.value))
    return readPrompts(listed, folders, losses);
  const found = await Promise.all(files.map((one) => readPromptFile(one, folders)));
  return found.flatMap((texts, index) =>
    texts.map((one, number) => {
      const fileLabel = label ?? basename(files[index] ?? '', extname(files[index] ?? ''));
      return makePrompt(
        one.text,
        one.label ?? (texts.length > 1 ? `${fileLabel} ${number + 1}` : fileLabel),
        at,
      );
    }),
  );
}

function isYaml(file: string): boolean {
  return ['.yaml', '.yml'].includes(extname(file));
}

/** Files may be named without `file://`. */
function asFile(text: string, { base }: Folders): string | undefined {
  if (text.startsWith('file://')) return resolve(base, text.slice('file://'.length));
  const isNamed = !/[\n{]/.test(text) && TEXT_FILES.includes(extname(text));
  return isNamed && (existsSync(resolve(base, text)) || text.includes('*')) ? resolve(base, text) : undefined;
}

async function readPromptFile(file: string, { cwd }: Folders): Promise<{ text: string; label?: string }[]> {
  const name = relative(cwd, file);
  const text = readTextFile(file, name);
  switch (extname(file)) {
    case '.txt':
      return text
        .split(SEPARATOR)
        .map((one) => ({ text: one.trim() }))
        .filter((one) => one.text !== '');
    case '.jsonl':
      return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [{ text: line }]));
    case '.yml':
    case '.yaml':
      return [{ text: JSON.stringify((await readSource(file, cwd)).value) }];
    case '.csv':
      return readCsv(text, name).map(({ row }) => ({ text: row['prompt'] ?? '', label: row['label'] }));
    default:
      return [{ text: text.trim() }];
  }
}

function makePrompt(text: string, label: string | undefined, at: string): Prompt {
  return { label: label ?? '', content: readChat(text) ?? text, at };
}

/** A prompt that is a JSON list of messages is a chat. */
function readChat(text: string): PromptMessage[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined;
  try {
    const messages: unknown = JSON.parse(text);
    return isChat(messages) ? messages : undefined;
  } catch {
    return undefined;
  }
}

function isChat(value: unknown): value is PromptMessage[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => isObject(one) && typeof one['role'] === 'string')
  );
}

/** A chat may also be written as YAML. */
export async function withYamlChats(prompts: readonly Prompt[]): Promise<Prompt[]> {
  return Promise.all(
    prompts.map(async (prompt): Promise<Prompt> => {
      if (typeof prompt.content !== 'string' || !/^\s*- role:/.test(prompt.content)) return prompt;
      const { value } = await parseYamlDocument(prompt.content, prompt.at);
      return isChat(value) ? { ...prompt, content: value } : prompt;
    }),
  );
}
