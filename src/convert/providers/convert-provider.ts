// `providers` of a configuration in, connectors and agents out.

import { resolve } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { freeName, slug } from '../output/output-files.ts';
import { matchingFiles, pathFrom } from '../source/files.ts';
import type { Source } from '../source/source.ts';
import { items, member, readSource } from '../source/source.ts';
import { commandProgram, echoModule, javascriptModule, missingModel, pythonAgent } from './adapters.ts';
import { convertHttp } from './http.ts';
import { convertModel } from './model.ts';
import type { GivenProvider, ProviderContext, Target } from './provider.ts';

/** Fields of a provider that are read. */
const FIELDS = ['id', 'label', 'config', 'prompts', 'transform', 'env'];

/** Reads the list; files of providers are opened. */
export async function readProviders(source: Source, context: ProviderContext): Promise<GivenProvider[]> {
  const { value } = source;
  const isOne = isObject(value) && !('id' in value) && Object.values(value).every(isObject);
  const list = isOne
    ? Object.keys(value).map((id) => ({ id, item: member(source, id) }))
    : items(source).map((item) => ({ id: undefined, item }));
  const all: GivenProvider[] = [];
  for (const { id, item } of list) all.push(...(await readProvider(item, id, context)));
  return all;
}

async function readProvider(
  item: Source,
  key: string | undefined,
  context: ProviderContext,
): Promise<GivenProvider[]> {
  const { value } = item;
  const at = item.at();
  if (typeof value === 'string') {
    if (!/^file:\/\/.*\.(?:ya?ml|json)$/.test(value)) return [given(value, {}, at, context)];
    const path = resolve(context.folders.base, value.slice('file://'.length));
    const all: GivenProvider[] = [];
    for (const file of await matchingFiles(path, at, context.folders))
      all.push(...(await readProviders(await readSource(file, context.folders.cwd), context)));
    return all;
  }
  if (!isObject(value)) throw new ConfigError('a provider must be a text or an object', { at });
  const { id, provider, ...rest } = value;
  // Some files name the provider apart from its id.
  if (typeof id === 'string' && typeof provider === 'string')
    return [given(provider, { label: id, ...rest }, at, context)];
  if (typeof id === 'string') return [given(id, value, at, context)];
  if (key !== undefined) return [given(key, value, at, context)];
  // `- openai:gpt-4o: {config: …}`
  const [entry] = Object.entries(value);
  if (entry === undefined || !isObject(entry[1])) throw new ConfigError('a provider needs an "id"', { at });
  return [given(entry[0], entry[1], at, context)];
}

function given(
  id: string,
  fields: Record<string, unknown>,
  at: string,
  { losses }: ProviderContext,
): GivenProvider {
  for (const field of Object.keys(fields))
    if (!FIELDS.includes(field))
      losses.missing(
        at,
        `providers: ${id}: ${field}`,
        field === 'delay' ? 'calls are not delayed' : 'there is no equivalent of this field',
        field === 'delay'
          ? '"concurrency" of the connector, or --parallel, limits calls; a 429 is waited for'
          : undefined,
      );
  if (fields['env'] !== undefined)
    losses.missing(
      at,
      `providers: ${id}: env`,
      'a provider has no environment of its own',
      'set the variables in the environment or in .env',
    );
  const { label, config, prompts, transform } = fields;
  return {
    id,
    label: typeof label === 'string' ? label : undefined,
    config: isObject(config) ? config : {},
    prompts: Array.isArray(prompts) ? prompts.map(String) : undefined,
    transform,
    at,
  };
}

/** A connector or an agent. A provider that is lost gets a file that says what to write there. */
export async function convertProvider(provider: GivenProvider, context: ProviderContext): Promise<Target> {
  const target = (await convertModel(provider, context)) ?? (await convertCode(provider, context));
  if (target !== undefined) return target;
  const { id, label, at } = provider;
  const name = freeName(slug(label ?? id, 'provider'), context.taken);
  context.losses.missing(
    at,
    `providers: ${id}`,
    /^https?(?::|$)/.test(id)
      ? 'its request is a raw one, or has templates that are not known here'
      : 'no connector reaches it',
    `write how to call it into connectors/other/${name}.ts, which was written for this`,
  );
  context.files.add(`connectors/other/${name}.conn.yao`, {
    type: 'module',
    options: { file: `./${name}.ts` },
  });
  context.files.add(`connectors/other/${name}.ts`, missingModel(id));
  return { type: 'connector', connector: `other.${name}`, name, tools: [] };
}

async function convertCode(provider: GivenProvider, context: ProviderContext): Promise<Target | undefined> {
  const { id, label, config, at } = provider;
  const { files, folders, taken } = context;
  const name = (fallback: string): string => freeName(slug(label ?? fallback, 'agent'), taken);
  const agent = (own: string, run: object): Target => {
    files.add(`assistants/${own}/package.yao`, { run });
    return {
      type: 'agent',
      agent: own,
      name: own,
      usesVariables: id !== 'echo',
      isStructured: id !== 'echo',
    };
  };
  if (id === 'echo') {
    const own = name('echo');
    files.add(`assistants/${own}/agent.ts`, echoModule());
    return agent(own, { module: './agent.ts' });
  }
  const [, file, called] =
    /^(?:file:\/\/|python:|package:)?(.*\.(?:py|[cm]?[jt]s))(?::(\w+))?$/.exec(id) ?? [];
  if (file !== undefined && !id.startsWith('exec:')) {
    const [path = ''] = await matchingFiles(resolve(folders.base, file), at, folders);
    const own = name(file.replace(/^.*\//, '').replace(/\.\w+$/, ''));
    const route = pathFrom(files.absolute(`assistants/${own}`), path);
    if (file.endsWith('.py')) {
      files.add(
        `assistants/${own}/agent.py`,
        pythonAgent({ id, path: route, name: called ?? 'call_api', config }),
      );
      return agent(own, { python: './agent.py' });
    }
    files.add(`assistants/${own}/agent.ts`, javascriptModule({ id, path: route, config }));
    return agent(own, { module: './agent.ts' });
  }
  if (id.startsWith('exec:')) {
    const command = [...id.slice('exec:'.length).matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
      ([, a, b, c]) => a ?? b ?? c ?? '',
    );
    const file = command.find((word) => /\.\w+$/.test(word)) ?? command[0] ?? 'command';
    const own = name(file.replace(/^.*\//, '').replace(/\.\w+$/, ''));
    const cwd = pathFrom(files.absolute(`assistants/${own}`), folders.base);
    files.add(`assistants/${own}/agent.mjs`, commandProgram({ id, command, cwd, config }));
    return agent(own, { command: ['node', 'agent.mjs'] });
  }
  if (id.startsWith('webhook:')) {
    const own = name('webhook');
    const http = {
      url: id.slice('webhook:'.length),
      body: { prompt: '{{input}}', ...(Object.keys(config).length > 0 && { config }) },
      output: '$.output',
    };
    return { ...agent(own, { http }), usesVariables: false } as Target;
  }
  return /^https?(?::|$)/.test(id) ? convertHttp(provider, context) : undefined;
}
