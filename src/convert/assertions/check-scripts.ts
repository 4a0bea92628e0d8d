// The text of scripts that judge as an assertion of promptfoo does.

import { oneLine } from '../../text/untrusted.ts';

/** What promptfoo makes of a number, a truth or an object. */
function judgement(threshold: number | undefined): string {
  const pass = threshold === undefined ? 'result > 0' : `result >= ${threshold}`;
  const enough =
    threshold === undefined
      ? ''
      : `\n  if (typeof result.score === 'number' && result.score < ${threshold}) return { ...kept, pass: false };`;
  return `function judge(result: any) {
  if (typeof result === 'number') return { pass: ${pass}, score: between(result) };
  if (typeof result !== 'object' || result === null) return result;
  const kept = { pass: result.pass, reason: result.reason, ...(typeof result.score === 'number' && { score: between(result.score) }) };${enough}
  return kept;
}

function between(score: number) {
  return Math.max(0, Math.min(1, score));
}
`;
}

type FileCheck = {
  path: string;
  function: string | undefined;
  threshold: number | undefined;
  config: unknown;
  isNegated: boolean;
};

/** Calls the function of a JavaScript file. */
export function javascriptCheck({ path, function: name, threshold, config, isNegated }: FileCheck): string {
  const found = name === undefined ? 'checks.default ?? checks' : `checks.${name} ?? checks.default?.${name}`;
  return `// Calls ${name ?? 'the function'} of ${oneLine(path)} as promptfoo does.
import * as imported from ${JSON.stringify(path)};

const checks: any = imported;
const given: any = ${found};
const check = typeof given === 'function' ? given : given.default;

export async function Check(output: unknown, input: unknown, expected: unknown, ctx: { variables: Record<string, unknown> }) {
  const context = { vars: ctx.variables, prompt: input, test: { vars: ctx.variables }${config === undefined ? '' : `, config: ${JSON.stringify(config)}`} };
  try {
    return judge(await check(output, context));
  } catch (error) {
    // promptfoo counts an exception as a failure.
    return { pass: ${isNegated}, message: String(error) };
  }
}

${judgement(threshold)}`;
}

export function webhookCheck({ url }: { url: string }): string {
  return `// Asks ${oneLine(url)} for the verdict, as promptfoo does.

export async function Check(output: unknown, input: unknown, expected: unknown, ctx: { variables: Record<string, unknown> }) {
  const body = JSON.stringify({ output, context: { prompt: input, vars: ctx.variables } });
  const response = await fetch(${JSON.stringify(url)}, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (!response.ok) throw new Error(\`the webhook answered \${response.status}\`);
  return judge(await response.json());
}

${judgement(undefined)}`;
}

/** The word of Python. */
function python(value: boolean): string {
  return value ? 'True' : 'False';
}

function pythonJudgement(threshold: number | undefined): string {
  const pass = threshold === undefined ? 'result > 0' : `result >= ${threshold}`;
  const enough =
    threshold === undefined
      ? ''
      : `
    if isinstance(kept.get("score"), (int, float)) and kept["score"] < ${threshold}:
        kept["pass"] = False`;
  return `def judge(result):
    if isinstance(result, bool):
        return result
    if isinstance(result, (int, float)):
        return {"pass": ${pass}, "score": max(0, min(1, result))}
    if not isinstance(result, dict):
        return result
    kept = {"pass": result.get("pass", result.get("pass_")), "reason": result.get("reason") or ""}
    if isinstance(result.get("score"), (int, float)):
        kept["score"] = max(0, min(1, result["score"]))${enough}
    return kept
`;
}

/** Calls the function of a Python file. */
export function pythonCheck({ path, function: name, threshold, config, isNegated }: FileCheck): string {
  return `# Calls ${name ?? 'get_assert'} of ${oneLine(path)} as promptfoo does.
import importlib.util
import json
import os
import sys

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), ${JSON.stringify(path)})
CONFIG = json.loads(${JSON.stringify(JSON.stringify(config ?? {}))})

sys.path.append(os.path.dirname(FILE))
spec = importlib.util.spec_from_file_location("promptfoo_check", FILE)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)


def check(output, input, expected, ctx):
    context = {"vars": ctx.variables, "prompt": input, "test": {"vars": ctx.variables}, "config": CONFIG}
    try:
        return judge(module.${name ?? 'get_assert'}(output, context))
    except Exception as error:
        # promptfoo counts an exception as a failure.
        return {"pass": ${python(isNegated)}, "message": f"{type(error).__name__}: {error}"}


${pythonJudgement(threshold)}`;
}

/** Python that stood in the configuration: an expression, or lines with a return. */
export function inlinePythonCheck({
  code,
  threshold,
  isNegated,
}: {
  code: string;
  threshold: number | undefined;
  isNegated: boolean;
}): string {
  const text = code.trimEnd();
  const lines = text.includes('\n') ? text.split('\n') : [`return ${text.trim()}`];
  const body = lines.map((line) => (line.trim() === '' ? '' : `    ${line}`)).join('\n');
  return `# Python from an assertion of promptfoo.
import json
import math
import re


def assertion(output, context):
${body}


def check(output, input, expected, ctx):
    context = {"vars": ctx.variables, "prompt": input, "test": {"vars": ctx.variables}}
    try:
        return judge(assertion(output, context))
    except Exception as error:
        # promptfoo counts an exception as a failure.
        return {"pass": ${python(isNegated)}, "message": f"{type(error).__name__}: {error}"}


${pythonJudgement(threshold)}`;
}
