// A configuration of promptfoo: the file in, its parts out.

import { dirname, extname, relative } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { isFile } from '../../platform/file-stats.ts';
import { didYouMeanFile } from '../../platform/nearest-file.ts';
import type { Losses } from '../losses.ts';
import type { Folders } from './files.ts';
import type { Prompt } from './prompts.ts';
import { readPrompts, withYamlChats } from './prompts.ts';
import type { Source } from './source.ts';
import { member, readSource } from './source.ts';
import type { SourceTest } from './tests.ts';
import { readDefaults, readScenarios, readTests } from './tests.ts';

export type PromptfooConfig = {
  folders: Folders;
  source: Source;
  description: string | undefined;
  prompts: Prompt[];
  providers: Source;
  defaults: SourceTest;
  tests: SourceTest[];
};

/** A configuration has at least one of these. */
const PARTS = ['prompts', 'providers', 'targets', 'tests', 'scenarios', 'defaultTest', 'redteam'];

/** Reads the file and all files that it names; throws a ConfigError for one that is no configuration of promptfoo. */
export async function readConfig(file: string, cwd: string, losses: Losses): Promise<PromptfooConfig> {
  const name = relative(cwd, file);
  if (!isFile(file)) throw new ConfigError(`no such file: ${name}`, { hint: didYouMeanFile(file, cwd) });
  if (/^\.(?:[cm]?[jt]s|py)$/.test(extname(file)))
    throw new ConfigError('a configuration that is code is not read', {
      at: name,
      hint: 'write what it exports into a YAML or JSON file',
    });
  const source = await readSource(file, cwd);
  const { value } = source;
  if (!isObject(value) || !PARTS.some((part) => part in value))
    throw new ConfigError('is no configuration of promptfoo', {
      at: name,
      hint: `it has at least one of ${PARTS.join(', ')}`,
    });

  const folders: Folders = { base: dirname(file), cwd };
  const prompts = await withYamlChats(await readPrompts(member(source, 'prompts'), folders, losses));
  const tests = await readTests(member(source, 'tests'), folders, losses);
  const scenarios = await readScenarios(member(source, 'scenarios'), folders, losses);
  return {
    folders,
    source,
    description: typeof value['description'] === 'string' ? value['description'] : undefined,
    prompts,
    providers: member(source, 'providers' in value ? 'providers' : 'targets'),
    defaults: await readDefaults(member(source, 'defaultTest'), folders),
    tests: [...tests, ...scenarios],
  };
}
