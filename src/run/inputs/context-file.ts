// A `--ctx` file in, the context it describes out.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Problem } from '../../errors.ts';
import { ConfigError, messageOf } from '../../errors.ts';
import type { ContextFile } from '../../model/context.ts';
import { parseJsonDocument } from '../../json/jsonc.ts';
import { didYouMean } from '../../text/nearest.ts';
import { displayPath } from '../../platform/paths.ts';

/** What a field may hold: a simple value, anything below an object, or fields of its own. */
type Shape = 'string' | 'boolean' | 'record' | { [field: string]: Shape };

const CONTEXT: Shape = {
  accept: 'string',
  authorized: {
    client_id: 'string',
    constraints: {
      creator_only: 'boolean',
      editor_only: 'boolean',
      extra: 'record',
      owner_only: 'boolean',
      team_only: 'boolean',
    },
    remember_me: 'boolean',
    scope: 'string',
    session_id: 'string',
    sub: 'string',
    team_id: 'string',
    tenant_id: 'string',
    user_id: 'string',
  },
  chat_id: 'string',
  client: { ip: 'string', type: 'string', user_agent: 'string' },
  locale: 'string',
  metadata: 'record',
  referer: 'string',
};

/** Reads and checks a context file, named from `cwd`; all problems are thrown at once, with lines. */
export async function readContextFile(file: string, { cwd }: { cwd: string }): Promise<ContextFile> {
  const found = path.resolve(cwd, file);
  const name = displayPath(found, cwd);
  const document = await parseJsonDocument(await read(found, name), name);
  const problems = checkShape(document.value, CONTEXT, []).map(({ place, message, hint }): Problem => {
    const at = `${name}:${document.lineOf(place)}`;
    return hint === undefined ? { message, at } : { message, at, hint };
  });
  if (problems.length > 0) throw ConfigError.of(problems);
  // Every field was checked against the shape above.
  return document.value as ContextFile;
}

type ShapeProblem = { place: string[]; message: string; hint?: string | undefined };

function checkShape(value: unknown, shape: Shape, place: string[]): ShapeProblem[] {
  const name = place.length === 0 ? 'the context' : `"${place.join('.')}"`;
  if (shape === 'string' || shape === 'boolean') {
    return typeof value === shape ? [] : [{ place, message: `${name} must be a ${shape}` }];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ place, message: `${name} must be an object` }];
  }
  if (shape === 'record') return [];
  return Object.entries(value).flatMap(([field, inner]) => {
    const known = Object.hasOwn(shape, field) ? shape[field] : undefined;
    if (known !== undefined) return checkShape(inner, known, [...place, field]);
    const hint = didYouMean(field, Object.keys(shape));
    return [{ place: [...place, field], message: `unknown field "${[...place, field].join('.')}"`, hint }];
  });
}

async function read(file: string, name: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const message = isMissing ? 'the context file does not exist' : `cannot be read: ${messageOf(error)}`;
    throw new ConfigError(message, { at: name, cause: error });
  }
}
