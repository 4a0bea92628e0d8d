// A model of promptfoo in, a connector out.

import { isObject } from '../../json/is-object.ts';
import { freeName, slug } from '../output/output-files.ts';
import { readValueFile } from '../source/value-file.ts';
import { environmentText } from './environment.ts';
import type { GivenProvider, ProviderContext, Target } from './provider.ts';
import { readTools } from './tools.ts';
import { readModelId, VENDORS } from './vendors.ts';

type Options = Record<string, unknown>;

/** Options of a model that a connector has under the same name. */
const SAME = ['frequency_penalty', 'headers', 'max_completion_tokens', 'max_tokens', 'presence_penalty', 'response_format', 'seed', 'stop', 'temperature', 'thinking', 'top_k', 'top_p']; // prettier-ignore
/** Options under another name. */
const RENAMED: Record<string, string> = { maxOutputTokens: 'max_tokens', max_output_tokens: 'max_tokens', num_predict: 'max_tokens', stopSequences: 'stop', topK: 'top_k', topP: 'top_p' }; // prettier-ignore
/** Options that the service gets as they are. */
const PASSED = [
  'logit_bias',
  'parallel_tool_calls',
  'reasoning_effort',
  'service_tier',
  'tool_choice',
  'user',
  'verbosity',
];
/** Options that are read elsewhere, or that say what is the case here anyway. */
const READ = ['apiBaseUrl', 'apiHost', 'apiKey', 'apiKeyEnvar', 'basePath', 'functions', 'organization', 'passthrough', 'reasoning', 'tools', 'showThinking']; // prettier-ignore

/** Undefined if no connector can reach the model. */
export async function convertModel(
  given: GivenProvider,
  context: ProviderContext,
): Promise<Target | undefined> {
  const { at, config } = given;
  const read = readModelId(given.id);
  if (read === undefined || read.form?.startsWith('embedding') === true) return undefined;
  const tools = await readTools(config['tools'] ?? config['functions'], at, context);
  const entries = Object.entries(config).map(async ([name, value]): Promise<[string, unknown]> => [
    name,
    READ.includes(name) ? value : await withFiles(value, at, context),
  ]);
  if (tools.length > 0)
    context.losses.changed(
      at,
      `providers: ${given.id}: tools`,
      'the calls of the model are in tool_calls, not in the output, and functions in src/tools.ts answer them; promptfoo only describes tools',
      'judge them with tool_called and trajectory, or with tool_calls in expressions',
    );
  if (['anthropic', 'openai'].includes(read.vendor) && config['temperature'] === undefined)
    context.losses.note(
      at,
      `providers: ${given.id}`,
      'promptfoo sends temperature 0 and at most 1024 tokens to most models if nothing is said; here the service decides',
      'write "temperature" and "max_tokens" into the connector',
    );
  const added = addConnector({ ...given, config: Object.fromEntries(await Promise.all(entries)) }, context);
  return added && { type: 'connector', ...added, tools };
}

/** Writes the file of a connector. A model that judges uses the connector of another one with the same options. */
export function addConnector(
  given: GivenProvider,
  context: ProviderContext,
  { isJudge = false }: { isJudge?: boolean } = {},
): { connector: string; name: string } | undefined {
  const read = readModelId(given.id);
  const vendor = read === undefined ? undefined : VENDORS[read.vendor];
  if (read === undefined || vendor === undefined) return undefined;
  if (read.form === 'responses')
    context.losses.changed(
      given.at,
      `providers: ${given.id}`,
      'the model is called by chat completions, not by responses',
    );
  const options: Options = {
    model: read.model,
    ...readAddress(given, read.vendor, context),
    ...readOptions(given, context),
  };
  const content = JSON.stringify([read.vendor, options]);
  const known = isJudge ? context.connectors.get(content) : undefined;
  if (known !== undefined) return { connector: known, name: known };
  const name = freeName(slug(given.label ?? read.model, 'model'), context.taken);
  context.files.add(`connectors/${read.vendor}/${name}.conn.yao`, { type: vendor.type, options });
  context.connectors.set(content, `${read.vendor}.${name}`);
  return { connector: `${read.vendor}.${name}`, name };
}

/** Host and key. A key in the configuration stays there. */
function readAddress({ config, id, at }: GivenProvider, name: string, { losses }: ProviderContext): Options {
  const vendor = VENDORS[name];
  const { apiHost, apiBaseUrl, apiKey, apiKeyEnvar } = config;
  const fromKey = typeof apiKey === 'string' ? environmentText(apiKey) : undefined;
  const isLiteral = typeof apiKey === 'string' && fromKey?.startsWith('$ENV.') !== true;
  const variable = typeof apiKeyEnvar === 'string' ? apiKeyEnvar : vendor?.key;
  if (isLiteral)
    losses.changed(
      at,
      `providers: ${id}: apiKey`,
      'a key is not copied into another file',
      `set ${variable ?? 'it'} in the environment`,
    );
  const key = isLiteral || fromKey === undefined ? variable && `$ENV.${variable}` : fromKey;
  const address = { ...(key !== undefined && { key }) };
  if (name.startsWith('azure')) {
    const host = typeof apiHost === 'string' ? apiHost : '$ENV.AZURE_API_HOST';
    losses.changed(
      at,
      `providers: ${id}`,
      'the connector calls the version v1 of the service, whatever apiVersion says',
    );
    return { ...address, host: `https://${host.replace(/^https?:\/\//, '')}/openai/v1`, azure: true };
  }
  // promptfoo adds the name of the method and nothing else; a slash at the end says so.
  if (typeof apiBaseUrl === 'string')
    return { ...address, host: `${(environmentText(apiBaseUrl) ?? apiBaseUrl).replace(/\/+$/, '')}/` };
  if (typeof apiHost === 'string')
    return { ...address, host: `https://${apiHost.replace(/^https?:\/\//, '')}` };
  return { ...address, ...(vendor?.host !== undefined && { host: vendor.host }) };
}

function readOptions({ config, id, at }: GivenProvider, context: ProviderContext): Options {
  const options: Options = {};
  const extra: Options = {};
  const generation = isObject(config['generationConfig']) ? config['generationConfig'] : {};
  for (const [name, value] of Object.entries({ ...config, ...generation })) {
    const own = (Object.hasOwn(RENAMED, name) ? RENAMED[name] : undefined) ?? name;
    if (name === 'generationConfig' || READ.includes(name)) continue;
    if (SAME.includes(own)) options[own] = value;
    else if (PASSED.includes(name)) extra[name] = value;
    else
      context.losses.missing(
        at,
        `providers: ${id}: ${name}`,
        'a connector has no such option',
        'what the service itself knows can stand in "extra_body" of the connector',
      );
  }
  const { passthrough, reasoning, organization } = config;
  if (isObject(passthrough)) Object.assign(extra, passthrough);
  if (isObject(reasoning) && reasoning['effort'] !== undefined)
    extra['reasoning_effort'] = reasoning['effort'];
  if (typeof organization === 'string')
    options['headers'] = {
      ...(isObject(options['headers']) && options['headers']),
      'OpenAI-Organization': organization,
    };
  return { ...options, ...(Object.keys(extra).length > 0 && { extra_body: extra }) };
}

async function withFiles(value: unknown, at: string, { folders }: ProviderContext): Promise<unknown> {
  if (typeof value !== 'string' || !value.startsWith('file://')) return value;
  return readValueFile(value, at, folders);
}
