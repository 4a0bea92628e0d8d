// The text of modules that call a provider of promptfoo the way promptfoo does.

import { oneLine } from '../../text/untrusted.ts';

/** Shared by all: what promptfoo calls the prompt. */
const PROMPT = `type Message = { role: string; content: unknown };
type Context = { metadata: { vars?: Record<string, unknown> } };
type Answer = { output?: unknown; error?: string; cost?: number; tokenUsage?: { prompt?: number; completion?: number } };

/** One message is a text; a chat is JSON. */
function promptOf(messages: Message[]): string {
  const [first, ...others] = messages;
  return others.length === 0 && typeof first?.content === 'string' ? first.content : JSON.stringify(messages, null, 2);
}
`;

const TRANSCRIPT = `
/** The answer with its tokens and its cost, if the provider tells them. */
function toTranscript(answer: Answer | string) {
  if (typeof answer !== 'object' || answer === null || !('output' in answer || 'error' in answer)) return { output: answer };
  if (answer.error) throw new Error(answer.error);
  const { prompt, completion } = answer.tokenUsage ?? {};
  const usage = prompt === undefined || completion === undefined ? {} : { usage: { input_tokens: prompt, output_tokens: completion } };
  return { output: answer.output, ...usage, ...(typeof answer.cost === 'number' && { cost_usd: answer.cost }) };
}
`;

export function echoModule(): string {
  return `// The provider "echo" of promptfoo: the answer is the prompt.
${PROMPT}
export default (messages: Message[]) => promptOf(messages);
`;
}

/** A class or a function in a JavaScript file. */
export function javascriptModule({ id, path, config }: { id: string; path: string; config: object }): string {
  return `// Calls the provider of promptfoo in ${oneLine(path)}.
import * as exported from ${JSON.stringify(path)};

${PROMPT}
const config = ${JSON.stringify(config, null, 2)};
const given: any = 'default' in exported ? exported.default : exported;
const provider = given?.prototype?.callApi === undefined ? given : new given({ id: ${JSON.stringify(id)}, config });

export default async function ask(messages: Message[], ctx: Context) {
  const prompt = promptOf(messages);
  const context = { vars: ctx.metadata.vars ?? {}, prompt: { raw: prompt, label: prompt } };
  const answer = typeof provider === 'function' ? await provider(prompt, context) : await provider.callApi(prompt, context, {});
  return toTranscript(answer);
}
${TRANSCRIPT}`;
}

/** A program that gets the prompt as an argument, for Node; `cwd` is relative to the agent's folder. */
export function commandProgram({
  id,
  command,
  cwd,
  config,
}: {
  id: string;
  command: string[];
  cwd: string;
  config: object;
}): string {
  return `// Starts a program for each prompt, as the provider "${oneLine(id)}" of promptfoo does.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [program, ...words] = ${JSON.stringify(command)};
const cwd = fileURLToPath(new URL(${JSON.stringify(`${cwd}/`)}, import.meta.url));

const { messages, context: { metadata = {} } = {} } = JSON.parse(readFileSync(0, 'utf8'));
const [first, ...others] = messages;
const isText = others.length === 0 && typeof first.content === 'string';
const prompt = isText ? first.content : JSON.stringify(messages, null, 2);
const options = JSON.stringify({ config: ${JSON.stringify(config)} });
const context = JSON.stringify({ vars: metadata.vars ?? {}, prompt: { raw: prompt, label: prompt } });
const output = execFileSync(program, [...words, prompt, options, context], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
process.stdout.write(JSON.stringify({ output: output.trim() }));
`;
}

/** `call_api` of a Python file. */
export function pythonAgent({
  id,
  path,
  name,
  config,
}: {
  id: string;
  path: string;
  name: string;
  config: object;
}): string {
  return `# Calls the provider of promptfoo in ${oneLine(path)}.
import importlib.util
import inspect
import json
import os
import sys

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), ${JSON.stringify(path)})
OPTIONS = json.loads(${JSON.stringify(JSON.stringify({ id, config }))})

sys.path.insert(0, os.path.dirname(FILE))
spec = importlib.util.spec_from_file_location("promptfoo_provider", FILE)
provider = importlib.util.module_from_spec(spec)
spec.loader.exec_module(provider)
call_api = getattr(provider, ${JSON.stringify(name)})


def ask(messages, ctx):
    chat = len(messages) != 1 or not isinstance(messages[0]["content"], str)
    prompt = json.dumps(messages, indent=2) if chat else messages[0]["content"]
    context = {"vars": ctx.metadata.get("vars", {}), "prompt": {"raw": prompt, "label": prompt}}
    return call_api(prompt, OPTIONS, context)


def to_transcript(answer):
    if not isinstance(answer, dict) or not ("output" in answer or "error" in answer):
        return {"output": answer}
    if answer.get("error"):
        raise RuntimeError(answer["error"])
    transcript = {"output": answer.get("output")}
    tokens = answer.get("tokenUsage") or {}
    if "prompt" in tokens and "completion" in tokens:
        transcript["usage"] = {"input_tokens": tokens["prompt"], "output_tokens": tokens["completion"]}
    if isinstance(answer.get("cost"), (int, float)):
        transcript["cost_usd"] = answer["cost"]
    return transcript


def answer(messages, ctx):
    return to_transcript(ask(messages, ctx))


if inspect.iscoroutinefunction(call_api):

    async def answer(messages, ctx):
        return to_transcript(await ask(messages, ctx))
`;
}

const HTTP_PARTS = `function parseJson(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function lowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** A text that is JSON after it was filled in becomes that JSON, as in promptfoo. */
function fillAll(value: any, values: Record<string, unknown>): any {
  if (Array.isArray(value)) return value.map((item) => fillAll(item, values));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fillAll(inner, values)]));
  if (typeof value !== 'string') return value;
  const filled = fill(value, values);
  const json = /^\\s*[[{]/.test(filled) ? parseJson(filled) : undefined;
  return json === undefined ? filled : json;
}

function fill(text: string, values: Record<string, unknown>): string {
  return text.replaceAll(/\\{\\{\\s*([\\w.]+)\\s*(\\|\\s*dump\\s*)?\\}\\}/g, (_, path: string, dump?: string) => {
    const value = path.split('.').reduce((found: any, key) => found?.[key], values);
    if (dump !== undefined) return JSON.stringify(value);
    return value === undefined || value === null ? '' : String(value);
  });
}
`;

type HttpRequest = { url: string; method: unknown; headers: unknown; body: unknown; query: unknown };
type Parser = { path: string; name: string | undefined } | { code: string | undefined };

/** A request with variables, or one whose answer is read by code. */
export function httpModule({
  id,
  request,
  parser,
}: {
  id: string;
  request: HttpRequest;
  parser: Parser;
}): string {
  const imported = 'path' in parser ? `import * as parser from ${JSON.stringify(parser.path)};\n` : '';
  return `// Sends the request of the provider "${oneLine(id)}" of promptfoo.
${imported}
${PROMPT}
const request: { url: string; method?: string; headers?: Record<string, string>; query?: Record<string, string>; body?: any } = ${JSON.stringify(
    request,
    null,
    2,
  )};

const read: (json: any, text: string, context: any) => any = ${parserCode(parser)};

export default async function ask(messages: Message[], ctx: Context) {
  const values = { ...ctx.metadata.vars, prompt: promptOf(messages), env: process.env };
  const url = new URL(fill(request.url, values));
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, fill(value, values));
  const method = request.method ?? (request.body === undefined ? 'GET' : 'POST');
  const isText = typeof request.body === 'string';
  const body = request.body === undefined || method === 'GET' ? undefined : isText ? fill(request.body, values) : JSON.stringify(fillAll(request.body, values));
  const headers = { ...(body !== undefined && { 'content-type': isText ? 'text/plain' : 'application/json' }), ...lowerCase(fillAll(request.headers ?? {}, values)) };
  const response = await fetch(url, { method, headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(\`\${response.status} \${response.statusText}: \${text.slice(0, 500)}\`);
  const json = parseJson(text);
  const data = json ?? text;
  const { status, statusText } = response;
  const context = { response: { data, status, statusText, headers: Object.fromEntries(response.headers) } };
  return toTranscript(await read(json, text, context));
}

${HTTP_PARTS}${TRANSCRIPT}`;
}

function parserCode(parser: Parser): string {
  if ('path' in parser)
    return `(parser as any)[${JSON.stringify(parser.name ?? 'default')}]${parser.name === undefined ? ' ?? (parser as any).default' : ''}`;
  const { code } = parser;
  if (code === undefined) return '(json, text) => json ?? text';
  if (/^(?:async\s+)?(?:function\b|\(?[\w\s,{}]*\)?\s*=>)/.test(code)) return code;
  return `(json, text, context) => (${code})`;
}

/** Stands for a provider that could not be carried over. */
export function missingModel(id: string): string {
  return `// promptfoo reached ${oneLine(id)} by itself. Call the model here and return its text.

export default async function answer({ messages }: { messages: { role: string; content: unknown }[] }): Promise<string> {
  throw new Error(${JSON.stringify(`${id} was not carried over from promptfoo: write how to reach it into this file`)});
}
`;
}
