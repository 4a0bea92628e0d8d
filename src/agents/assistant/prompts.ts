// Reads and checks prompts.yml; inlines assets and fills in environment variables.

import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { Problem } from '../../errors.ts';
import { collectProblems, ConfigError } from '../../errors.ts';
import type { Prompt } from '../../model/agent.ts';
import { isObject } from '../../json/is-object.ts';
import { didYouMean } from '../../text/nearest.ts';
import { displayPath, isInside } from '../../platform/paths.ts';
import { isCredentialName } from '../../secrets/credential-name.ts';
import { secretsIn } from '../../secrets/secrets.ts';
import { readTextFile } from '../../json/text-file.ts';
import { parseYamlDocument } from '../../json/yaml-document.ts';

export type PromptOptions = { cwd: string; env: Record<string, string | undefined> };

export type ReadPrompts = {
  prompts?: Prompt[];
  presets?: Record<string, Prompt[]>;
  files: string[];
  secrets: string[];
  problems: Problem[];
};

const ROLES = ['assistant', 'developer', 'system', 'user'];
const YAML = /\.ya?ml$/;
const ASSET = /@assets\/([\w./-]*\w)/g;
const VARIABLE = /\$ENV\.([A-Za-z_]\w*)/g;

/** Reads `prompts.yml` and the presets below `prompts/` of a folder; assets are below its `assets/`. */
export async function readPrompts(folder: string, options: PromptOptions): Promise<ReadPrompts> {
  const read: ReadPrompts = { files: [], secrets: [], problems: [] };
  const main = ['prompts.yml', 'prompts.yaml']
    .map((name) => join(folder, name))
    .find((file) => existsSync(file));
  if (main !== undefined) {
    const prompts = await collectProblems(read.problems, () => readFile(main, folder, options, read));
    if (prompts !== undefined) read.prompts = prompts;
  }
  for (const file of presetFiles(join(folder, 'prompts'))) {
    const ofPreset: ReadPrompts = { ...read, problems: [] };
    const prompts = await collectProblems(ofPreset.problems, () => readFile(file, folder, options, ofPreset));
    // A variable that is not set matters when a hook asks for the preset.
    const isUnset = ({ message }: Problem): boolean => message.startsWith('environment variable');
    const unset = ofPreset.problems.find(isUnset);
    read.problems.push(...ofPreset.problems.filter((problem) => !isUnset(problem)));
    const [first] = prompts ?? [];
    if (first !== undefined && unset !== undefined) first.unset = `${unset.at ?? ''}: ${unset.message}`;
    const name = relative(join(folder, 'prompts'), file).replace(YAML, '').split(sep).join('.');
    const isRead = prompts !== undefined || ofPreset.problems.length === 0;
    if (isRead) (read.presets ??= {})[name] = prompts ?? [];
  }
  return read;
}

function presetFiles(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => YAML.test(name))
    .sort()
    .map((name) => join(folder, name));
}

async function readFile(
  file: string,
  folder: string,
  { cwd, env }: PromptOptions,
  read: ReadPrompts,
): Promise<Prompt[] | undefined> {
  read.files.push(file);
  const name = displayPath(file, cwd);
  if (!statSync(file).isFile()) throw new ConfigError('is not a file', { at: name });
  const { value, lineOf } = await parseYamlDocument(readTextFile(file, name), name);
  const report = (path: string[], message: string, hint?: string): void => {
    const at = `${name}:${String(lineOf(path))}`;
    read.problems.push({ message, at, hint });
  };
  // A file with only comments counts as no file; an empty list calls the model without prompts.
  if (value === null || value === undefined) return undefined;
  if (!Array.isArray(value)) {
    report([], 'expected a list of prompts', 'write - role: system and content: …');
    return [];
  }
  return value.flatMap((item: unknown, index): Prompt[] => {
    const path = [String(index)];
    const prompt = checkPrompt(item, path, report);
    if (prompt === undefined) return [];
    const inlined = prompt.content.replaceAll(ASSET, (reference, asset: string) => {
      const found = readAsset(folder, asset, read);
      if (found === undefined) {
        report(
          [...path, 'content'],
          `${reference}: no such file in ${displayPath(join(folder, 'assets'), cwd)}`,
        );
      }
      return found ?? reference;
    });
    const content = inlined.replaceAll(VARIABLE, (reference, variable: string) => {
      const text = env[variable];
      if (text === undefined) {
        const message = `environment variable ${variable} is not set; the prompt needs it`;
        report([...path, 'content'], message, `set ${variable}, or write it into the .env file`);
        return reference;
      }
      if (isCredentialName(variable)) read.secrets.push(...secretsIn(text));
      return text;
    });
    return [{ ...prompt, content }];
  });
}

function checkPrompt(
  item: unknown,
  path: string[],
  report: (path: string[], message: string, hint?: string) => void,
): Prompt | undefined {
  if (!isObject(item)) return void report(path, 'a prompt needs "role" and "content"');
  const { role, content, name } = item;
  if (typeof role !== 'string' || role === '') {
    return void report(path, 'the prompt has no "role"', 'it is system, user, assistant or developer');
  }
  const slip = ROLES.includes(role) ? undefined : didYouMean(role, ROLES);
  if (slip !== undefined) return void report([...path, 'role'], `unknown role "${role}"`, slip);
  if (typeof content !== 'string') {
    return void report(
      [...path, 'content'],
      'the "content" of a prompt must be text',
      'write content: | and the text below',
    );
  }
  if (name !== undefined && typeof name !== 'string')
    return void report([...path, 'name'], '"name" must be text');
  return { role, content, name };
}

function readAsset(folder: string, asset: string, read: ReadPrompts): string | undefined {
  const assets = realPath(join(folder, 'assets'));
  const file = assets === undefined ? undefined : realPath(resolve(assets, asset));
  // Resolve symbolic links first: the target must be inside the assets folder.
  const exists =
    assets !== undefined && file !== undefined && isInside(assets, file) && statSync(file).isFile();
  if (!exists) return undefined;
  read.files.push(file);
  return readFileSync(file, 'utf8');
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
