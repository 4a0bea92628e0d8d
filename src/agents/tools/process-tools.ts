// Tools that are functions of an assistant or of the application.

import { AttemptError, ConfigError, messageOf } from '../../errors.ts';
import type { ProcessTool } from '../../model/tool-server.ts';
import { isObject } from '../../json/is-object.ts';
import { callScript } from '../../scripts/call-function.ts';
import { compileSchema } from '../../json/json-schema.ts';
import { notAnObjectMessage } from './tool-result.ts';
import type { ToolAnswer, ToolDeps } from './toolbox.ts';

/** Calls the function if the arguments match its schema; an error it throws becomes the answer. */
export async function callProcess(tool: ProcessTool, given: unknown, deps: ToolDeps): Promise<ToolAnswer> {
  const { signal } = deps;
  signal.throwIfAborted();
  // Some models omit the arguments of a tool without parameters.
  const values: unknown = given ?? {};
  if (typeof values === 'string') return { error: notAnObjectMessage(values) };
  const errors = compileSchema(tool.parameters, { isLenient: true })(values);
  if (errors.length > 0) return { error: `invalid arguments: ${errors.join('; ')}` };
  let result: unknown;
  try {
    result = await callScript(tool.process, functionArguments(tool.args, values), deps);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AttemptError) throw error;
    if (error instanceof ConfigError) throw new AttemptError('harness', error.message, { cause: error });
    return { error: messageOf(error) || 'the tool failed without a message' };
  }
  return plainAnswer(result);
}

/** The function's arguments; copies, so that changes to them do not appear in the transcript. */
function functionArguments(args: readonly unknown[], values: unknown): unknown[] {
  return args.map((arg) => {
    if (arg === ':arguments') return structuredClone(values);
    if (typeof arg !== 'string' || !arg.startsWith('$args.')) return structuredClone(arg);
    return structuredClone(valueAt(values, arg.split('.').slice(1)));
  });
}

function valueAt(value: unknown, path: string[]): unknown {
  let inner: unknown = value;
  for (const key of path) {
    const holder: unknown = inner;
    if (!(isObject(holder) || Array.isArray(holder)) || !Object.hasOwn(holder, key)) return null;
    inner = Reflect.get(holder, key);
  }
  return inner;
}

/** The result as plain JSON; undefined becomes null. */
function plainAnswer(result: unknown): ToolAnswer {
  try {
    const text: string | undefined = JSON.stringify(result);
    return { result: text === undefined ? null : (JSON.parse(text) as unknown) };
  } catch (error) {
    return { error: `its result cannot be written as JSON: ${messageOf(error)}` };
  }
}
