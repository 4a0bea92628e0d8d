// The file that describes the agent in a folder. It has three names for the same content.

import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ConfigError } from '../errors.ts';
import { isFile } from '../platform/file-stats.ts';
import { displayPath } from '../platform/paths.ts';
import { isObject } from './is-object.ts';

/** The names that only Assay reads. */
const OWN_NAMES = ['package.yao', 'assay.agent.json'] as const;
/** A name that other tools use, too, for files such as A2A agent cards. */
const SHARED_NAME = 'agent.json';

/** Fields that make an agent.json ours: each says what to run. */
const OWN_FIELDS = ['run', 'connector', 'mcp'] as const;

/** A larger agent.json is data of another tool. */
const MAX_BYTES = 1_000_000;

/** The file that describes the agent in this folder, if there is one. Throws ConfigError if there are two. */
export function findAgentFile(folder: string, { cwd = process.cwd() } = {}): string | undefined {
  const [file, other] = agentFilesIn(folder);
  if (file !== undefined && other !== undefined) {
    throw new ConfigError(
      `two files describe one agent: ${displayPath(file, cwd)} and ${displayPath(other, cwd)}`,
      { hint: 'keep one of them' },
    );
  }
  return file;
}

/** True if a file in this folder describes an agent. */
export function isAgentFolder(folder: string): boolean {
  return agentFilesIn(folder).length > 0;
}

/** The folder of the agent, if this is the file that describes it. */
export function folderOfAgentFile(file: string): string | undefined {
  const isNamed = [...OWN_NAMES, SHARED_NAME].some((name) => name === basename(file));
  return isNamed && isFile(file) && isAgentFolder(dirname(file)) ? dirname(file) : undefined;
}

/** The name of an agent.json in this folder that is not ours, and why not, for a hint. */
export function explainForeignFile(folder: string, cwd: string): string | undefined {
  const file = join(folder, SHARED_NAME);
  if (!isFile(file) || isOurs(file)) return undefined;
  return `${displayPath(file, cwd)} is not read: it has none of ${OWN_FIELDS.join(', ')}; if it describes an agent for Assay, call it ${OWN_NAMES[1]}`;
}

function agentFilesIn(folder: string): string[] {
  const own = OWN_NAMES.map((name) => join(folder, name)).filter(isFile);
  const shared = join(folder, SHARED_NAME);
  return isFile(shared) && isOurs(shared) ? [...own, shared] : own;
}

/** The files of other tools are left alone, also broken and huge ones. */
function isOurs(file: string): boolean {
  let text: string;
  try {
    if (statSync(file).size > MAX_BYTES) return false;
    text = readFileSync(file, 'utf8');
  } catch {
    return false;
  }
  const value = parseLeniently(text);
  // The reader of the file says what is wrong with the syntax.
  if (value === undefined) return /"run"\s*:\s*\{|"(?:connector|mcp)"\s*:/.test(text);
  if (!isObject(value)) return false;
  const { run, connector, mcp } = value;
  return isObject(run) || typeof connector === 'string' || isObject(mcp) || Array.isArray(mcp);
}

/** JSON, also with comments and trailing commas; undefined if it is neither. */
function parseLeniently(text: string): unknown {
  const plain = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g, (part) =>
      part.startsWith('/') ? '' : part,
    )
    .replaceAll(/,(?=\s*[}\]])/g, '');
  try {
    return JSON.parse(plain);
  } catch {
    return undefined;
  }
}
