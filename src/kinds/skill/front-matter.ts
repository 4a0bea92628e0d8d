// The YAML between two lines of dashes at the beginning of a Markdown file.

import { ConfigError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { parseYamlDocument } from '../../json/yaml-document.ts';

/** The fields of the front matter; none if the file has no front matter. Throws if it is broken. */
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

/** `name: some words`, and nothing that could mean more than it says: no quotes, lists, comments, numbers, lines that go on. */
const PLAIN_LINE = /^([A-Za-z_][\w-]*): +([A-Za-z][\w,.;()/!?’–— +-]*[\w.)!?])$/;
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i;

/** Most front matter needs no parser, and with many skills that is noticed; undefined if this one does. */
function plainFields(yaml: string): Record<string, string> | undefined {
  const fields: [string, string][] = [];
  for (const line of yaml.split('\n')) {
    if (line === '') continue;
    const [, key = '', value = ''] = PLAIN_LINE.exec(line) ?? [];
    if (value === '' || WORDS.test(value) || fields.some(([known]) => known === key)) return undefined;
    fields.push([key, value]);
  }
  return Object.fromEntries(fields);
}
