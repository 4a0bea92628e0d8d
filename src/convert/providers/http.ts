// An HTTP provider in, an HTTP agent out; or a module with the same request, if it needs code.

import { isObject } from '../../json/is-object.ts';
import { freeName, slug } from '../output/output-files.ts';
import { fileReference, pathFrom } from '../source/files.ts';
import { httpModule } from './adapters.ts';
import { environmentText } from './environment.ts';
import type { GivenProvider, ProviderContext, Target } from './provider.ts';

/** Options that are read here. */
const READ = [
  'url',
  'method',
  'headers',
  'body',
  'queryParams',
  'transformResponse',
  'responseParser',
  'useHttps',
];

/** Undefined for a raw request, and for templates that a request here cannot have. */
export function convertHttp(given: GivenProvider, context: ProviderContext): Target | undefined {
  const { config, id, at } = given;
  const { losses } = context;
  const url = typeof config['url'] === 'string' ? config['url'] : id;
  if (config['request'] !== undefined || !/^https?:\/\/|\{\{/.test(url)) return undefined;
  for (const name of Object.keys(config))
    if (!READ.includes(name))
      losses.missing(
        at,
        `providers: ${id}: ${name}`,
        'an HTTP agent has no such option',
        'write a module that sends the request (docs/agents.md#module)',
      );

  const name = freeName(
    slug(given.label ?? new URL(url.replaceAll(/\{\{.*?\}\}/g, 'x'), 'http://x').hostname, 'http'),
    context.taken,
  );
  const plain = plainAgent(given, url, context);
  if (plain === undefined) return moduleAgent(given, url, name, context);
  context.files.add(`assistants/${name}/package.yao`, { run: { http: plain.http } });
  return { type: 'agent', agent: name, name, usesVariables: plain.usesVariables, isStructured: true };
}

const METHODS_WITHOUT_BODY = ['GET', 'HEAD'];

/** The agent, if its address has no variables and the answer is at a path. */
function plainAgent(
  { config }: GivenProvider,
  url: string,
  { isChat }: ProviderContext,
): { http: object; usesVariables: boolean } | undefined {
  const path = answerPath(config['transformResponse'] ?? config['responseParser']);
  const address = environmentText(url);
  const headers = isObject(config['headers']) ? config['headers'] : {};
  const texts = Object.entries(headers).map(([key, value]) => [key, environmentText(String(value))] as const);
  const method = typeof config['method'] === 'string' ? config['method'].toUpperCase() : 'POST';
  const isPlain =
    path !== undefined && address !== undefined && texts.every(([, text]) => text !== undefined);
  if (!isPlain || config['queryParams'] !== undefined || METHODS_WITHOUT_BODY.includes(method))
    return undefined;
  let usesVariables = false;
  let isUnknown = false;
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]));
    if (typeof value !== 'string') return value;
    return (environmentText(value) ?? value).replaceAll(/\{\{([^{}]*)\}\}/g, (_, inner: string) => {
      const name = /^\s*([A-Za-z_]\w*)\s*$/.exec(inner)?.[1];
      if (name === undefined) isUnknown = true;
      if (name === 'prompt') return isChat ? '{{messages}}' : '{{input}}';
      usesVariables = true;
      return `{{context.metadata.vars.${name ?? ''}}}`;
    });
  };
  // A text is sent as it is here; promptfoo would escape what it fills in.
  if (typeof config['body'] === 'string') return undefined;
  const body = fill(config['body'] ?? { prompt: '{{prompt}}' });
  if (isUnknown) return undefined;
  const given = Object.fromEntries(texts);
  const http = { url: address, method, ...(texts.length > 0 && { headers: given }), body, output: path };
  return { http, usesVariables };
}

/** `json.choices[0].message.content` as a path. */
function answerPath(code: unknown): string | undefined {
  if (typeof code !== 'string') return undefined;
  const [, path] =
    /^\s*(?:\(?\s*json\s*(?:,\s*text\s*)?\)?\s*=>\s*)?json((?:\??\.[A-Za-z_$][\w$]*|(?:\?\.)?\[\d+\]|\[['"][\w-]+['"]\])+)\s*;?\s*$/.exec(
      code,
    ) ?? [];
  return path === undefined ? undefined : `$${path.replaceAll('?.[', '[').replaceAll('?.', '.')}`;
}

function moduleAgent(
  given: GivenProvider,
  url: string,
  name: string,
  context: ProviderContext,
): Target | undefined {
  const { config, id } = given;
  const { files, folders } = context;
  const templates = JSON.stringify([url, config['headers'], config['body'], config['queryParams']]);
  const foreign = [...templates.matchAll(/\{\{(.*?)\}\}|\{%.*?%\}/g)].find(
    ([, inner]) => inner === undefined || !/^\s*[\w.]+\s*(?:\|\s*dump\s*)?$/.test(inner),
  );
  if (foreign !== undefined) return undefined;
  const code = config['transformResponse'] ?? config['responseParser'];
  const file = fileReference(code, folders);
  const folder = files.absolute(`assistants/${name}`);
  files.add(
    `assistants/${name}/agent.ts`,
    httpModule({
      id,
      request: {
        url,
        method: config['method'],
        headers: config['headers'],
        body: config['body'],
        query: config['queryParams'],
      },
      parser:
        file !== undefined
          ? { path: pathFrom(folder, file.path), name: file.function }
          : { code: typeof code === 'string' ? code.trim().replace(/;+$/, '') : undefined },
    }),
  );
  files.add(`assistants/${name}/package.yao`, { run: { module: './agent.ts' } });
  return { type: 'agent', agent: name, name, usesVariables: true, isStructured: true };
}
