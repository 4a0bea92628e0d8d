// The text of an expression in, what it is or its syntax error out. Runs nothing.

import { createRequire } from 'node:module';
import type { Expression, Node, Options, Program } from 'acorn';
import { messageOf } from '../../errors.ts';
import { memoize } from '../../platform/memoize.ts';

/** An expression, or the body of a function that returns the value. `code` is JavaScript without a final semicolon. */
export type ParsedExpression = { type: 'expression' | 'body'; code: string } | { problem: string };

const OPTIONS: Options = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
};

const load = createRequire(import.meta.url);

/**
 * Parses an expression such as `output.total > 3`, or statements with a `return`. A problem has its place in the text.
 * Remembers the last texts, because many cases share an expression.
 */
export const parseExpression = memoize(parseText, { size: 500 });

function parseText(text: string): ParsedExpression {
  if (text.trim() === '') return { problem: 'it is empty' };
  // In brackets, so that `{"pass": true}` is an object and not a block.
  const whole = tryParse(`(${text}\n)`, { shift: 1, length: text.length });
  const expression = 'program' in whole ? onlyExpression(whole.program) : undefined;
  if (expression !== undefined)
    return isFunction(expression)
      ? { problem: 'it is a function, which is never called: write only its body' }
      : { type: 'expression', code: text };
  const statements = tryParse(text, { shift: 0, length: text.length });
  if ('problem' in statements) {
    const isWholeBetter = 'problem' in whole && whole.at > statements.at;
    return { problem: isWholeBetter ? whole.problem : statements.problem };
  }
  const { body } = statements.program;
  const [first, ...others] = body;
  if (first?.type === 'ExpressionStatement' && others.length === 0)
    return { type: 'expression', code: text.slice(first.expression.start, first.expression.end) };
  if (body.some(hasReturn)) return { type: 'body', code: text };
  return { problem: 'it has statements, but returns nothing: add "return"' };
}

/** `shift` is the number of characters before the text of the user, which has this `length`. */
function tryParse(
  text: string,
  { shift, length }: { shift: number; length: number },
): { program: Program } | { problem: string; at: number } {
  const { parse } = load('acorn') as typeof import('acorn');
  try {
    return { program: parse(text, { ...OPTIONS, preserveParens: shift > 0 }) };
  } catch (error) {
    const { pos = 0, loc = { line: 1, column: 0 } } = error as {
      pos?: number;
      loc?: { line: number; column: number };
    };
    const at = pos - shift;
    if (at >= length) return { problem: 'it ends too early', at };
    const column = loc.column - (loc.line === 1 ? shift : 0) + 1;
    const what = messageOf(error).replace(/ \(\d+:\d+\)$/, '');
    return { problem: `${what} (line ${String(loc.line)}, column ${String(column)})`, at };
  }
}

/** The expression in the brackets around the text, if they enclose all of it: `1) + (2` is no expression. */
function onlyExpression({ body: [first, ...others], end }: Program): Expression | undefined {
  if (first?.type !== 'ExpressionStatement' || others.length > 0) return undefined;
  const { expression: outer } = first;
  return outer.type === 'ParenthesizedExpression' && outer.end === end ? outer.expression : undefined;
}

function isFunction({ type }: Expression): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression';
}

/** True if a statement returns from the text itself, not from a function in it. */
function hasReturn(node: Node): boolean {
  if (node.type === 'ReturnStatement') return true;
  if (/Function|Class|Method/.test(node.type)) return false;
  return Object.values(node).some((part: unknown) =>
    Array.isArray(part)
      ? part.some((item) => isNode(item) && hasReturn(item))
      : isNode(part) && hasReturn(part),
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
