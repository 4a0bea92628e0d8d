// `tests`, `scenarios` and `defaultTest` of a configuration in, one list of tests out. Defaults stay apart.

import { extname, join, relative, resolve } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { readTextFile } from '../../json/text-file.ts';
import { isFolder } from '../../platform/file-stats.ts';
import type { Losses } from '../losses.ts';
import { readCsvTests } from './csv-tests.ts';
import type { Folders } from './files.ts';
import { isCode, matchingFiles } from './files.ts';
import type { Source } from './source.ts';
import { items, member, readSource, withValue } from './source.ts';

/** A test as it is written. Its values are not checked yet. */
export type SourceTest = Source & { value: Record<string, unknown> };

/** Everything but what code makes or another service keeps. */
export async function readTests(source: Source, folders: Folders, losses: Losses): Promise<SourceTest[]> {
  const found: SourceTest[] = [];
  for (const item of items(source)) found.push(...(await readItem(item, folders, losses)));
  return found;
}

async function readItem(item: Source, folders: Folders, losses: Losses): Promise<SourceTest[]> {
  const { value } = item;
  if (isObject(value) && typeof value['path'] === 'string' && !('vars' in value))
    return readFile(value['path'], item.at(), folders, losses);
  if (isObject(value)) return [{ ...item, value }];
  if (typeof value === 'string') return readFile(value, item.at(), folders, losses);
  throw new ConfigError('a test must be an object, or the name of a file', { at: item.at() });
}

const BY_CODE =
  'write the cases as a module (docs/cases.md#formats): its default export may be a function that makes them';

async function readFile(name: string, at: string, folders: Folders, losses: Losses): Promise<SourceTest[]> {
  const text = name.replace(/^file:\/\//, '');
  if (/^(?:https?|huggingface|s3|az|package):/.test(text)) {
    losses.missing(
      at,
      `tests: ${name}`,
      'the tests are kept by another service',
      'save them as a file first',
    );
    return [];
  }
  if (isCode(text)) {
    losses.missing(at, `tests: ${name}`, 'the tests are made by code', BY_CODE);
    return [];
  }
  const path = resolve(folders.base, text.replace(/#.*$/, ''));
  // A folder stands for the files in it.
  const pattern = isFolder(path) ? join(path, '**/*.{csv,json,jsonl,yaml,yml}') : path;
  const files = await matchingFiles(pattern, at, folders);
  const tests: SourceTest[] = [];
  for (const file of files) {
    if (isCode(file)) {
      losses.missing(at, `tests: ${relative(folders.cwd, file)}`, 'the tests are made by code', BY_CODE);
    } else if (['.xlsx', '.xls'].includes(extname(file))) {
      losses.missing(at, `tests: ${name}`, 'tables of Excel are not read', 'save the table as CSV');
    } else if (extname(file) === '.csv') {
      const shown = relative(folders.cwd, file);
      tests.push(...readCsvTests(readTextFile(file, shown), shown, losses).filter(isTest));
    } else {
      const content = await readSource(file, folders.cwd);
      const list = isObject(content.value) && 'tests' in content.value ? member(content, 'tests') : content;
      tests.push(...(await readTests(list, folders, losses)));
    }
  }
  return tests;
}

function isTest(source: Source): source is SourceTest {
  return isObject(source.value);
}

/** A file, or the object itself. */
export async function readDefaults(source: Source, folders: Folders): Promise<SourceTest> {
  const { value } = source;
  if (value === undefined || value === null) return { ...source, value: {} };
  if (isObject(value)) return { ...source, value };
  if (typeof value !== 'string')
    throw new ConfigError('"defaultTest" must be an object, or the name of a file', { at: source.at() });
  const [file = ''] = await matchingFiles(
    resolve(folders.base, value.replace(/^file:\/\//, '')),
    source.at(),
    folders,
  );
  const read = await readSource(file, folders.cwd);
  if (!isTest(read)) throw new ConfigError('is no test', { at: read.at() });
  return read;
}

/** A scenario runs each of its tests with each of its configurations. */
export async function readScenarios(source: Source, folders: Folders, losses: Losses): Promise<SourceTest[]> {
  const tests: SourceTest[] = [];
  for (const scenario of await expandFiles(source, folders, losses)) {
    if (!isObject(scenario.value))
      throw new ConfigError('a scenario must be an object with "config" and "tests"', { at: scenario.at() });
    const configurations = await expandFiles(member(scenario, 'config'), folders, losses);
    const own = await readTests(member(scenario, 'tests'), folders, losses);
    for (const configuration of configurations)
      for (const test of own) tests.push(combine(configuration, test, scenario.value['description']));
  }
  return tests;
}

async function expandFiles(source: Source, folders: Folders, losses: Losses): Promise<Source[]> {
  const found: Source[] = [];
  for (const item of items(source)) {
    if (typeof item.value !== 'string') found.push(item);
    else {
      const path = resolve(folders.base, item.value.replace(/^file:\/\//, ''));
      for (const file of await matchingFiles(path, item.at(), folders)) {
        if (extname(file) === '.csv') {
          const shown = relative(folders.cwd, file);
          found.push(...readCsvTests(readTextFile(file, shown), shown, losses));
        } else found.push(...items(await readSource(file, folders.cwd)));
      }
    }
  }
  return found;
}

/** The test wins; variables and options are put together. */
function combine(configuration: Source, test: SourceTest, scenario: unknown): SourceTest {
  const data = isObject(configuration.value) ? configuration.value : {};
  const both = (key: string): Record<string, unknown> => {
    const [first, second] = [data[key], test.value[key]];
    return { ...(isObject(first) && first), ...(isObject(second) && second) };
  };
  const description = [scenario, test.value['description']].filter((part) => typeof part === 'string');
  const value = {
    ...data,
    ...test.value,
    vars: both('vars'),
    options: both('options'),
    metadata: both('metadata'),
    ...(description.length > 0 && { description: description.join(': ') }),
  };
  const inTest = (key: string): boolean => Object.hasOwn(test.value, key);
  return {
    ...withValue(test, value),
    value,
    at: (...path) =>
      path.length === 0 || inTest(String(path[0])) ? test.at(...path) : configuration.at(...path),
  };
}
