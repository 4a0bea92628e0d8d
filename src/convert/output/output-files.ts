// The files that a conversion writes, by their path below the output folder.

import { join } from 'node:path';

export class OutputFiles {
  readonly #files = new Map<string, string>();
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Adds a text, or a value as JSON. A second file of this path with other content gets a number. Gives the path. */
  add(path: string, content: string | object): string {
    const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
    const [, start = path, end = ''] = /^(.*?)(\.[^/]*)?$/.exec(path) ?? [];
    let free = path;
    for (let number = 2; this.#files.has(free) && this.#files.get(free) !== text; number += 1)
      free = `${start}-${number}${end}`;
    this.#files.set(free, text);
    return free;
  }

  /** Adds to a file that has been added before, or begins it. */
  append(path: string, text: string): void {
    this.#files.set(path, (this.#files.get(path) ?? '') + text);
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  absolute(path: string): string {
    return join(this.folder, path);
  }

  entries(): [path: string, text: string][] {
    return [...this.#files].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

/** A name for files and ids: `GPT 4.1 (fast)` becomes `gpt-4-1-fast`. */
export function slug(text: string, fallback: string): string {
  const name = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
  return name === '' ? fallback : name;
}

/** The name, with a number if it is taken; takes it. */
export function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  taken.add(free);
  return free;
}
