// `mcps/mapping/<server>/schemes/<tool>.in.yao`: what a function takes, as JSON Schema, and how it is passed.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../errors.ts';
import { collectProblems, ConfigError, messageOf } from '../../errors.ts';
import type { ProcessTool } from '../../model/tool-server.ts';
import { isObject } from '../../json/is-object.ts';
import { parseJsonDocument } from '../../json/jsonc.ts';
import { readTextFile } from '../../json/text-file.ts';
import { didYouMean } from '../../text/nearest.ts';
import { displayPath } from '../../platform/paths.ts';
import type { FoundServer } from './find-server.ts';
import { compileSchema } from '../../json/json-schema.ts';

type Signature = Pick<ProcessTool, 'args' | 'description' | 'parameters'>;

const ARGS = 'x-process-args';
const WHOLE = ':arguments';

/** Reads the schema of a tool, if it has one; without, the function gets whatever object the model gives. */
export async function readSchema(
  tool: string,
  { mcps, path }: FoundServer,
  { cwd }: { cwd: string },
): Promise<{ signature: Signature; files: string[]; problems: Problem[] }> {
  const file = join(mcps, 'mapping', ...path, 'schemes', `${tool}.in.yao`);
  const signature: Signature = { parameters: { type: 'object' }, args: [WHOLE] };
  if (!existsSync(file)) return { signature, files: [], problems: [] };
  const problems: Problem[] = [];
  const read = await collectProblems(problems, () => readFile(file, displayPath(file, cwd)));
  return {
    signature: read?.signature ?? signature,
    files: [file],
    problems: [...problems, ...(read?.problems ?? [])],
  };
}

/** `$ENV` is not looked for here: nothing in a schema is a secret, whatever its properties are called. */
async function readFile(file: string, name: string): Promise<{ signature: Signature; problems: Problem[] }> {
  const text = readTextFile(file, name);
  const { value, lineOf } = await parseJsonDocument(text, name);
  const at = (path: string[]): string => `${name}:${String(lineOf(path))}`;
  if (!isObject(value)) throw new ConfigError('a tool needs a JSON Schema in braces', { at: at([]) });

  const { [ARGS]: mapping, ...schema } = value;
  const parameters = { type: 'object', ...schema };
  const problems = [...checkSchema(parameters, at), ...checkMapping(mapping, schema['properties'], at)];
  const { description } = schema;
  const args: unknown[] = Array.isArray(mapping) ? mapping : [WHOLE];
  return {
    signature: { parameters, args, ...(typeof description === 'string' && { description }) },
    problems,
  };
}

function checkSchema(schema: Record<string, unknown>, at: (path: string[]) => string): Problem[] {
  if (schema['type'] !== 'object') {
    const hint = 'write "type": "object" and name the arguments in "properties"';
    return [{ message: 'the arguments of a tool are an object', at: at(['type']), hint }];
  }
  try {
    compileSchema(schema, { isLenient: true });
    return [];
  } catch (error) {
    return [{ message: `is not JSON Schema: ${messageOf(error)}`, at: at([]) }];
  }
}

function checkMapping(mapping: unknown, properties: unknown, at: (path: string[]) => string): Problem[] {
  if (mapping === undefined) return [];
  if (!Array.isArray(mapping)) {
    const hint = `write ["${WHOLE}"] or ["$args.field", …]`;
    return [{ message: `${ARGS}: expected a list`, at: at([ARGS]), hint }];
  }
  if (!isObject(properties)) return [];
  return mapping.flatMap((arg: unknown, index) => {
    const field = typeof arg === 'string' ? /^\$args\.([^.]+)/.exec(arg)?.[1] : undefined;
    if (field === undefined || Object.hasOwn(properties, field)) return [];
    const hint = didYouMean(field, Object.keys(properties));
    const message = `${ARGS}: the schema has no property ${JSON.stringify(field)}`;
    return [{ message, at: at([ARGS, String(index)]), hint }];
  });
}
