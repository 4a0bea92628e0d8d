import { dirname, resolve } from 'node:path';
import { generatorOf } from './inputs.ts';

/** The folder of the first value of `-i` that looks like a path, else the working directory. Nothing is read. */
export function typedFolder(values: readonly string[], cwd: string): string {
  const isPath = (value: string): boolean => !/\s/.test(value) && /[/\\]|\.jsonl$/.test(value);
  const path = values.find((value) => isPath(value) && generatorOf(value) === undefined);
  return path === undefined ? cwd : dirname(resolve(cwd, path.replace(/[*?{[].*$/, 'x')));
}
