// The YAML between two lines of dashes at the beginning of a Markdown file.

import { ConfigError } from '../errors.ts';
import { isObject } from '../platform/is-object.ts';
import { parseYamlDocument } from '../platform/yaml-document.ts';

/** The fields of the front matter; none if the file has no front matter. Throws if it is broken. */
export async function readFrontMatter(markdown: string, name: string): Promise<Record<string, unknown>> {
  const text = markdown.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  if (!/^---[ \t]*\n/.test(text)) return {};
  const [, yaml] = /^---[ \t]*\n([^]*?)^(?:---|\.\.\.)[ \t]*$/m.exec(text) ?? [];
  if (yaml === undefined)
    throw new ConfigError('its front matter has no end', { at: name, hint: 'add a line with ---' });
  const { value } = await parseYamlDocument(yaml, name);
  if (value === null || value === undefined) return {};
  if (!isObject(value)) throw new ConfigError('its front matter has no fields', { at: name });
  return value;
}
