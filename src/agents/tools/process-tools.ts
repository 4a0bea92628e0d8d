// Tools that are functions of an assistant or of the application.

import { AttemptError, ConfigError, messageOf } from '../../errors.ts';
import type { ProcessTool } from '../../model/tool-server.ts';
import { isObject } from '../../json/is-object.ts';
import { callScript } from '../../scripts/call-function.ts';
import { compileSchema } from '../../json/json-schema.ts';
import { noObject } from './tool-result.ts';
import type { ToolAnswer, ToolDeps } from './toolbox.ts';

/** Calls the function if the arguments are what it asks for; what it throws is the answer. */
export async function callProcess(tool: ProcessTool, given: unknown, deps: ToolDeps): Promise<ToolAnswer> {
  const { signal } = deps;
  signal.throwIfAborted();
  // Some models leave out the arguments of a tool that needs none.
  const values: unknown = given ?? {};
  if (typeof values === 'string') return { error: noObject(values) };
  const errors = compileSchema(tool.parameters, { isLenient: true })(values);
  if (errors.length > 0) return { error: `invalid arguments: ${errors.join('; ')}` };
  let result: unknown;
  try {
    result = await callScript(tool.process, passed(tool.args, values), deps);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AttemptError) throw error;
    if (error instanceof ConfigError) throw new AttemptError('harness', error.message, { cause: error });
    return { error: messageOf(error) || 'it failed and did not say why' };
  }
  return plainAnswer(result);
}

/** The arguments as the function takes them. It gets a copy: what it does to them is not what the model said. */
function passed(args: readonly unknown[], values: unknown): unknown[] {
  return args.map((arg) => {
    if (arg === ':arguments') return structuredClone(values);
    if (typeof arg !== 'string' || !arg.startsWith('$args.')) return structuredClone(arg);
    return structuredClone(fieldOf(values, arg.split('.').slice(1)));
  });
}

function fieldOf(value: unknown, path: string[]): unknown {
  let inner: unknown = value;
  for (const key of path) {
    const holder: unknown = inner;
    if (!(isObject(holder) || Array.isArray(holder)) || !Object.hasOwn(holder, key)) return null;
    inner = Reflect.get(holder, key);
  }
  return inner;
}

/** A result as JSON says it; a function that returns nothing says null. */
function plainAnswer(result: unknown): ToolAnswer {
  try {
    const text: string | undefined = JSON.stringify(result);
    return { result: text === undefined ? null : (JSON.parse(text) as unknown) };
  } catch (error) {
    return { error: `its result cannot be written as JSON: ${messageOf(error)}` };
  }
}
