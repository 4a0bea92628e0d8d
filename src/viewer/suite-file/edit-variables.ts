// Changes values of variables in the text of a suite's file; comments and layout stay.

import { isDeepStrictEqual } from 'node:util';
import { ConfigError, messageOf } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { parseJsonDocument } from '../../json/jsonc.ts';
import { parseYamlDocument } from '../../json/yaml-document.ts';
import { editYamlInPlace } from './edit-yaml.ts';
import { removeProperty } from './remove-property.ts';

/** By the name of the variable; null removes it. */
export type VariableChanges = Record<string, string | number | boolean | null>;

const VARIABLES_PATH = ['variables', 'variables'];

/** Changes `variables.variables` of a definition. Throws ConfigError if that would change anything else. */
export async function editVariables(text: string, name: string, changes: VariableChanges): Promise<string> {
  const isJson = name.endsWith('.json');
  const parse = isJson ? parseJsonDocument : parseYamlDocument;
  const { value } = await parse(text, name);
  const wanted = plain(withChanges(value, changes));
  const isWanted = async (edited: string): Promise<boolean> =>
    isDeepStrictEqual(plain((await parse(edited, name)).value), wanted);
  const inPlace = isJson ? undefined : await editInPlace(text, changes);
  if (inPlace !== undefined && (await isWanted(inPlace).catch(() => false))) return inPlace;
  const edited = await (isJson ? editJson(text, changes) : editYaml(text, name, changes));
  // An anchor or a merge key may have changed other values, too.
  if (!(await isWanted(edited))) throw cannotEdit(name);
  return edited;
}

async function editJson(text: string, changes: VariableChanges): Promise<string> {
  const { applyEdits, modify } = await import('jsonc-parser');
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  let content = text.slice(mark.length);
  const indent = detectIndent(content);
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: content.includes('\r\n') ? '\r\n' : '\n',
  };
  for (const [variable, value] of Object.entries(changes)) {
    const path = [...VARIABLES_PATH, variable];
    if (value === null) content = await removeProperty(content, path);
    else content = applyEdits(content, modify(content, path, value, { formattingOptions }));
  }
  return mark + content;
}

async function editInPlace(text: string, changes: VariableChanges): Promise<string | undefined> {
  let edited: string | undefined = text;
  for (const [variable, value] of Object.entries(changes))
    edited =
      edited === undefined ? undefined : await editYamlInPlace(edited, [...VARIABLES_PATH, variable], value);
  return edited;
}

/** Rewrites the whole document if a value cannot be changed in place: comments stay, spacing may not. */
async function editYaml(text: string, name: string, changes: VariableChanges): Promise<string> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  try {
    for (const [variable, value] of Object.entries(changes)) {
      if (value !== null) document.setIn([...VARIABLES_PATH, variable], value);
      else if (document.hasIn([...VARIABLES_PATH, variable]))
        document.deleteIn([...VARIABLES_PATH, variable]);
    }
    const edited = document.toString({
      indent: Math.max(2, detectIndent(text).length),
      indentSeq: !/^\S.*:[ \t]*\r?\n- /m.test(text),
      // Do not wrap long lines or add spaces to `{a: 1}`.
      lineWidth: 0,
      flowCollectionPadding: !/[{[][^\s{}[\]][^\n]*[}\]]/.test(text),
    });
    return text.includes('\r\n') ? edited.replaceAll(/\r?\n/g, '\r\n') : edited;
  } catch (error) {
    throw cannotEdit(name, messageOf(error));
  }
}

/** The indentation of the first indented line. */
function detectIndent(text: string): string {
  return /\n([ \t]+)(?=[^\s#])/.exec(text)?.[1] ?? '  ';
}

/** Removes differences in prototypes: some parsers create objects without one. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function withChanges(value: unknown, changes: VariableChanges): unknown {
  if (!isObject(value)) return value;
  const config = isObject(value['variables']) ? value['variables'] : {};
  const variables = new Map(Object.entries(isObject(config['variables']) ? config['variables'] : {}));
  for (const [name, one] of Object.entries(changes)) {
    if (one === null) variables.delete(name);
    else variables.set(name, one);
  }
  const isThere = isObject(value['variables']) || variables.size > 0;
  if (!isThere) return value;
  return { ...value, variables: { ...config, variables: Object.fromEntries(variables) } };
}

function cannotEdit(name: string, why = 'its values are written in more than one place'): ConfigError {
  return new ConfigError(`cannot be changed here: ${why}`, {
    at: name,
    hint: 'change the file in an editor',
  });
}
