// Reads front matter: the YAML between two lines of dashes at the beginning of a Markdown file.

import { ConfigError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { parseYamlDocument } from '../../json/yaml-document.ts';

/** The fields of the front matter; empty if the file has none. Throws if it is invalid. */
export async function readFrontMatter(markdown: string, name: string): Promise<Record<string, unknown>> {
  const text = markdown.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  if (!/^---[ \t]*\n/.test(text)) return {};
  const [, yaml] = /^---[ \t]*\n([^]*?)^(?:---|\.\.\.)[ \t]*$/m.exec(text) ?? [];
  if (yaml === undefined)
    throw new ConfigError('its front matter has no end', { at: name, hint: 'add a line with ---' });
  const plain = plainFields(yaml);
  if (plain !== undefined) return plain;
  const { value } = await parseYamlDocument(yaml, name);
  if (value === null || value === undefined) return {};
  if (!isObject(value)) throw new ConfigError('its front matter has no fields', { at: name });
  return value;
}

/** `name: some words` without YAML syntax: no quotes, lists, comments, numbers or continued lines. */
const PLAIN_LINE = /^([A-Za-z_][\w-]*): +([A-Za-z][\w,.;()/!?’–— +-]*[\w.)!?])$/;
/** Words that YAML reads as another type than text. */
const KEYWORDS = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i;

/** Reads simple front matter without the YAML parser, which is faster with many skills; undefined if it needs the parser. */
function plainFields(yaml: string): Record<string, string> | undefined {
  const fields: [string, string][] = [];
  for (const line of yaml.split('\n')) {
    if (line === '') continue;
    const [, key = '', value = ''] = PLAIN_LINE.exec(line) ?? [];
    if (value === '' || KEYWORDS.test(value) || fields.some(([known]) => known === key)) return undefined;
    fields.push([key, value]);
  }
  return Object.fromEntries(fields);
}
