// The variables of a test in, one set of values for each combination out.

import { existsSync, readFileSync } from 'node:fs';
import { extname, relative, resolve } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { readTextFile } from '../../json/text-file.ts';
import type { Losses } from '../losses.ts';
import type { Folders } from '../source/files.ts';
import { isCode, matchingFiles } from '../source/files.ts';
import { readSource } from '../source/source.ts';
import { TemplateError } from '../template/expression.ts';
import { renderTemplate } from '../template/render.ts';
import { isTemplate } from '../template/template.ts';

export type Variables = Record<string, unknown>;

const MEDIA = [
  '.jpg',
  '.jpeg',
  '.png',
  '.gif',
  '.bmp',
  '.webp',
  '.svg',
  '.mp4',
  '.webm',
  '.ogg',
  '.mov',
  '.avi',
  '.mp3',
  '.wav',
];
const UNREADABLE = ['.pdf', '.docx', '.xlsx'];
const MAX_COMBINATIONS = 10_000;

export type ReadVariables = {
  at: string;
  folders: Folders;
  losses: Losses;
  /** Lists stay lists. */
  isWhole: boolean;
};

/** Every combination of the lists in the variables. `isBroken` if a value cannot be computed now. */
export async function readVariables(
  given: unknown,
  options: ReadVariables,
): Promise<{ combinations: Variables[]; isBroken: boolean }> {
  const vars = await loadVariables(given, options);
  let combinations: Variables[] = [{}];
  for (const [name, value] of Object.entries(vars)) {
    const loaded = await loadValue(name, value, options);
    if (loaded === undefined) return { combinations: [{}], isBroken: true };
    const values =
      loaded.isSeveral || (Array.isArray(loaded.value) && !options.isWhole) ? loaded.value : [loaded.value];
    const list = values as unknown[];
    combinations = combinations.flatMap((one) =>
      list.map((item) => Object.assign({}, one, { [name]: item })),
    );
    if (combinations.length > MAX_COMBINATIONS)
      throw new ConfigError(`the lists in "vars" make more than ${MAX_COMBINATIONS} tests`, {
        at: options.at,
      });
  }
  let isBroken = false;
  const resolved = combinations.map((one) => {
    const { values, isLost } = resolveTemplates(one, options);
    isBroken ||= isLost;
    return values;
  });
  return { combinations: resolved, isBroken };
}

/** `vars` may name files of variables. */
async function loadVariables(given: unknown, { at, folders }: ReadVariables): Promise<Variables> {
  if (given === undefined || given === null) return {};
  if (isObject(given)) return given;
  const names = [given].flat();
  if (!names.every((name) => typeof name === 'string'))
    throw new ConfigError('"vars" must be an object, or the name of a file', { at });
  const all: Variables = {};
  for (const name of names) {
    const path = resolve(folders.base, name.replace(/^file:\/\//, ''));
    for (const file of await matchingFiles(path, at, folders)) {
      const { value } = await readSource(file, folders.cwd);
      if (isObject(value)) Object.assign(all, value);
    }
  }
  return all;
}

async function loadValue(
  name: string,
  value: unknown,
  options: ReadVariables,
): Promise<{ value: unknown; isSeveral: boolean } | undefined> {
  if (Array.isArray(value)) {
    const all = await Promise.all(value.map((item) => loadValue(name, item, options)));
    return all.includes(undefined) ? undefined : { value: all.map((one) => one?.value), isSeveral: false };
  }
  if (typeof value !== 'string') return { value, isSeveral: false };
  if (value.startsWith('package:')) return lost(name, value, options);
  // One line break at the end is not part of the value.
  if (!value.startsWith('file://')) return { value: value.replace(/\n$/, ''), isSeveral: false };
  const path = resolve(options.folders.base, value.slice('file://'.length));
  if (isCode(path)) return lost(name, value, options);
  const files = await matchingFiles(path, options.at, options.folders);
  const all = await Promise.all(files.map((file) => readValue(name, file, options)));
  if (all.includes(undefined)) return undefined;
  const isSeveral = !existsSync(path);
  return { value: isSeveral ? all : all[0], isSeveral };
}

async function readValue(name: string, file: string, options: ReadVariables): Promise<string | undefined> {
  const { cwd } = options.folders;
  const ending = extname(file).toLowerCase();
  if (MEDIA.includes(ending)) return readFileSync(file).toString('base64');
  if (UNREADABLE.includes(ending)) return void lost(name, relative(cwd, file), options);
  if (['.yaml', '.yml'].includes(ending)) return JSON.stringify((await readSource(file, cwd)).value);
  return readTextFile(file, relative(cwd, file)).trim();
}

function lost(name: string, value: string, { losses, at }: ReadVariables): undefined {
  const isText = UNREADABLE.some((ending) => value.endsWith(ending));
  losses.missing(
    at,
    `vars: ${name}: ${value}`,
    isText ? 'the text of such a file is not read' : 'the value is made by code',
    isText
      ? 'save it as a text file'
      : 'write the cases as a module (docs/cases.md#formats), which can compute it',
  );
}

/** Variables may use each other. */
function resolveTemplates(
  vars: Variables,
  { losses, at }: ReadVariables,
): { values: Variables; isLost: boolean } {
  let values = vars;
  let isLost = false;
  for (let round = 0; round < 5; round += 1) {
    let isChanged = false;
    const next = { ...values };
    for (const [name, value] of Object.entries(values)) {
      if (typeof value !== 'string' || !isTemplate(value)) continue;
      try {
        const rendered = renderTemplate(value, { ...values, [name]: undefined });
        isChanged ||= rendered !== value;
        next[name] = rendered;
      } catch (error) {
        if (!(error instanceof TemplateError)) throw error;
        isLost = true;
        losses.missing(
          at,
          `vars: ${name}`,
          `the template cannot be computed: ${error.message}; the test is skipped`,
        );
      }
    }
    values = next;
    if (!isChanged) break;
  }
  return { values, isLost };
}
