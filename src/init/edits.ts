// Adds lines to files that may be there already. Everything that is in them stays as it is, comments and line ends included.

import type { FormattingOptions, JSONPath } from 'jsonc-parser';
import { ConfigError } from '../errors.ts';
import { isObject } from '../json/is-object.ts';
import { parseJsonDocument } from '../json/jsonc.ts';

/** The new text of a file; the same text if nothing is missing. */
export function addLines(text: string, lines: readonly string[]): string {
  const known = new Set(text.split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/$/g, '')));
  const missing = lines.filter((line) => !known.has(line.replace(/\/$/, '')));
  if (missing.length === 0) return text;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text === '' || text.endsWith('\n') ? text : text + end;
  return start + missing.map((line) => line + end).join('');
}

/** Adds a script to package.json, unless it has one of that name. */
export async function addScript(text: string, name: string, command: string): Promise<string> {
  const { value } = await parseJsonDocument(text, 'package.json');
  const scripts = isObject(value) ? value['scripts'] : undefined;
  if (isObject(scripts) && scripts[name] !== undefined) return text;
  return setValue(text, ['scripts', name], command);
}

const SCHEMA_FOLDER = './node_modules/assay/schemas';

/** Tells VS Code the schemas of case files, unless the settings name them. */
export async function addSchemas(text: string, file: string): Promise<string> {
  let edited = text.trim() === '' ? '{}\n' : text;
  const settings = async (): Promise<Record<string, unknown>> => {
    const { value } = await parseJsonDocument(edited, file);
    if (isObject(value)) return value;
    throw new ConfigError('expected an object in braces', { at: `${file}:1` });
  };
  const schema = `${SCHEMA_FOLDER}/cases.schema.json`;

  const yaml = (await settings())['yaml.schemas'];
  if (!isObject(yaml) || yaml[schema] === undefined)
    edited = await setValue(edited, ['yaml.schemas', schema], ['*.cases.yml', '*.cases.yaml']);

  const json = (await settings())['json.schemas'];
  const listed = Array.isArray(json) ? json : [];
  if (listed.some((one) => isObject(one) && one['url'] === schema)) return edited;
  const entry = { fileMatch: ['*.cases.json'], url: schema };
  if (json === undefined) return setValue(edited, ['json.schemas'], [entry]);
  return setValue(edited, ['json.schemas', listed.length], entry, { isInsertion: true });
}

/** Sets one value in JSON with comments. */
async function setValue(
  text: string,
  path: JSONPath,
  value: unknown,
  { isInsertion = false } = {},
): Promise<string> {
  const { applyEdits, modify } = await import('jsonc-parser');
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const content = text.slice(mark.length);
  const edits = modify(content, path, value, {
    formattingOptions: formatting(content),
    isArrayInsertion: isInsertion,
  });
  return mark + applyEdits(content, edits);
}

/** As the file is indented. */
function formatting(text: string): FormattingOptions {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 4 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
