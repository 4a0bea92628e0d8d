// A `--ctx` file in, the context it describes out.

import path from 'node:path';
import { ConfigError } from '../../errors.ts';
import type { ContextFile } from '../../model/context.ts';
import { parseJsonDocument } from '../../json/jsonc.ts';
import { readGivenFile } from '../../json/text-file.ts';
import { object, optional, record } from '../../schema/object.ts';
import { findProblems } from '../../schema/problems.ts';
import type { Shape } from '../../schema/shape.ts';
import { anything, boolean, string } from '../../schema/values.ts';
import { displayPath } from '../../platform/paths.ts';

/** A `--ctx` file. */
export const contextShape: Shape<ContextFile> = object({
  authorized: optional(
    object({
      sub: optional(string, 'Subject'),
      client_id: optional(string),
      scope: optional(string),
      session_id: optional(string),
      user_id: optional(string),
      team_id: optional(string),
      tenant_id: optional(string),
      remember_me: optional(boolean),
      constraints: optional(
        object({
          owner_only: optional(boolean),
          creator_only: optional(boolean),
          editor_only: optional(boolean),
          team_only: optional(boolean),
          extra: optional(record(anything), 'Constraints of your own'),
        }),
      ),
    }),
  ),
  metadata: optional(record(anything)),
  client: optional(
    object({
      type: optional(string, 'web, mobile, test …'),
      ip: optional(string),
      user_agent: optional(string),
    }),
  ),
  locale: optional(string, 'en-us, zh-cn …'),
  theme: optional(string, 'light, dark …'),
  route: optional(string, 'The page of the application that the user is on'),
  referer: optional(string),
  accept: optional(string),
  chat_id: optional(string),
});

/** Reads and checks a context file, named from `cwd`; all problems are thrown at once, with lines. */
export async function readContextFile(file: string, { cwd }: { cwd: string }): Promise<ContextFile> {
  const found = path.resolve(cwd, file);
  const name = displayPath(found, cwd);
  const document = await parseJsonDocument(
    await readGivenFile(found, name, 'the context file does not exist'),
    name,
  );
  const problems = findProblems(contextShape, document.value, {
    wrong: 'must be',
    whole: 'the context',
    at: (path) => `${name}:${String(document.lineOf(path))}`,
  });
  if (problems.length > 0) throw ConfigError.of(problems);
  // The shape has just been checked.
  return document.value as ContextFile;
}
