// JavaScript of promptfoo in, an expression of Assay out that judges the same way.

import { createRequire } from 'node:module';
import type { Node, Program } from 'acorn';
import { messageOf } from '../../errors.ts';

type Converted = { code: string } | { problem: string; instead?: string };

const load = createRequire(import.meta.url);

/** Names that an expression has, beside the language. */
const KNOWN = new Set(
  'output context undefined NaN Infinity Array Boolean Date Error Intl JSON Map Math Number Object Promise RegExp Set String Symbol TypeError SyntaxError parseFloat parseInt isNaN isFinite encodeURIComponent decodeURIComponent arguments'.split(
    ' ',
  ),
);
const KNOWN_CONTEXT = ['vars'];
const TO_SCRIPT = 'write a script (docs/assertions.md#script), which has all of Node';

/**
 * Wraps code whose result or exceptions mean something else here: a number passes if it is above 0 (or reaches the
 * threshold), and code that throws fails. Code that plainly gives true or false stays as it is.
 */
export function toExpression(
  source: string,
  {
    threshold,
    isStructured,
    isNegated,
  }: { threshold: number | undefined; isStructured: boolean; isNegated: boolean },
): Converted {
  const text = source.trimEnd();
  const body = text.includes('\n') ? text : functionBody(text.trim().replace(/;+\s*$/, ''));
  let program: Program;
  try {
    program = parse(body);
  } catch (error) {
    return { problem: `it is no valid JavaScript: ${messageOf(error)}` };
  }
  const problem = foreignName(program);
  if (problem !== undefined) return problem;
  const returned = returnedValues(program);
  if (returned.length === 0) return { problem: 'it returns nothing', instead: 'add "return"' };

  const isSafe = !isStructured && !mayThrow(program);
  if (isSafe && returned.every(isVerdict)) {
    const [only] = program.body;
    const isExpression = program.body.length === 1 && only?.type === 'ReturnStatement' && only.argument;
    return { code: isExpression ? body.slice(only.argument?.start, only.argument?.end) : body };
  }
  return { code: wrap(body, { threshold, isNegated, mayBeNumber: !returned.every(isBoolean) }) };
}

/** One line is an expression, or declarations with an expression at the end. */
function functionBody(line: string): string {
  if (!/^(?:const|let|var)\s/.test(line)) return `return ${line}`;
  try {
    const last = parse(line).body.at(-1);
    if (last?.type === 'ExpressionStatement')
      return `${line.slice(0, last.start)}return ${line.slice(last.start)}`;
  } catch {
    // The check of the whole text reports it.
  }
  return line;
}

function parse(text: string): Program {
  const { parse: acorn } = load('acorn') as typeof import('acorn');
  return acorn(text, {
    ecmaVersion: 'latest',
    sourceType: 'script',
    allowAwaitOutsideFunction: true,
    allowReturnOutsideFunction: true,
  });
}

type Wrapping = { threshold: number | undefined; isNegated: boolean; mayBeNumber: boolean };

/** Code that throws fails, also if the verdict is turned afterwards. */
function wrap(body: string, { threshold, isNegated, mayBeNumber }: Wrapping): string {
  const inner = body
    .split('\n')
    .map((line) => `    ${line}`.trimEnd())
    .join('\n');
  const pass = threshold === undefined ? 'result > 0' : `result >= ${threshold}`;
  const score = [
    "  if (typeof result === 'number')",
    `    return { pass: ${pass}, score: Math.max(0, Math.min(1, result)) };`,
  ];
  return [
    'try {',
    '  const result = await (async () => {',
    inner,
    '  })();',
    ...(mayBeNumber ? score : []),
    '  return result;',
    '} catch (error) {',
    `  return { pass: ${isNegated}, message: String(error) };`,
    '}',
  ].join('\n');
}

/** A name that expressions do not have, such as `require`, or a part of promptfoo's context. */
function foreignName(program: Program): Converted | undefined {
  const declared = new Set<string>();
  const used: string[] = [];
  let context: string | undefined;
  walk(program, (node, parent) => {
    if (isDeclaration(node, parent)) declared.add(node.name);
    else if (node.type === 'Identifier' && isReference(node, parent)) used.push((node as Named).name);
    if (node.type === 'ImportExpression') used.push('import');
    const name = contextMember(node);
    if (name !== undefined && !KNOWN_CONTEXT.includes(name)) context ??= name;
  });
  const foreign = used.find((name) => !KNOWN.has(name) && !declared.has(name));
  if (foreign !== undefined)
    return { problem: `it uses ${foreign}, which expressions do not have`, instead: TO_SCRIPT };
  if (context === undefined) return undefined;
  return {
    problem: `it uses context.${context}, which is not there`,
    instead:
      context === 'prompt'
        ? 'the text that was sent is "input"'
        : 'docs/assertions.md#expression lists the names that expressions have',
  };
}

type Named = Node & { name: string };

function isDeclaration(node: Node, parent: Node | undefined): node is Named {
  if (node.type !== 'Identifier' || parent === undefined) return false;
  const owner = parent as Node & {
    id?: Node;
    params?: Node[];
    param?: Node;
    left?: Node;
    argument?: Node;
    value?: Node;
  };
  if (/^(?:VariableDeclarator|Function|Class)/.test(parent.type) && owner.id === node) return true;
  if (/Function/.test(parent.type) && owner.params?.includes(node) === true) return true;
  if (parent.type === 'CatchClause' && owner.param === node) return true;
  return (
    /Pattern$|^RestElement$/.test(parent.type) ||
    (parent.type === 'Property' && owner.value === node && isPatternPart(parent))
  );
}

/** `{ a, b: c }` declares names in a pattern; acorn marks patterns only above the property. */
const patternParts = new WeakSet<Node>();
function isPatternPart(property: Node): boolean {
  return patternParts.has(property);
}

function isReference(node: Node, parent: Node | undefined): boolean {
  if (parent === undefined) return true;
  const owner = parent as Node & { computed?: boolean; property?: Node; key?: Node; label?: Node };
  if (parent.type === 'MemberExpression') return owner.property !== node || owner.computed === true;
  if (parent.type === 'Property' || parent.type === 'MethodDefinition')
    return (
      owner.key !== node || owner.computed === true || (parent as { shorthand?: boolean }).shorthand === true
    );
  return !/^(?:Labeled|Break|Continue)/.test(parent.type);
}

/** The name of `context.name`. */
function contextMember(node: Node): string | undefined {
  if (node.type !== 'MemberExpression') return undefined;
  const { object, property } = node as Node & { object: Node; property: Node };
  if (object.type !== 'Identifier' || (object as Named).name !== 'context') return undefined;
  return property.type === 'Identifier' ? (property as Named).name : undefined;
}

/** The values that the text itself returns, not those of functions in it. */
function returnedValues(program: Program): (Node | null | undefined)[] {
  const found: (Node | null | undefined)[] = [];
  walk(
    program,
    (node) => {
      if (node.type === 'ReturnStatement') found.push((node as Node & { argument?: Node | null }).argument);
    },
    (node) => !/Function/.test(node.type),
  );
  return found;
}

const COMPARISONS = new Set(['==', '!=', '===', '!==', '<', '>', '<=', '>=', 'in', 'instanceof']);
const TRUTHS = new Set([
  'includes',
  'startsWith',
  'endsWith',
  'test',
  'every',
  'some',
  'has',
  'isArray',
  'isInteger',
  'hasOwn',
]);

/** True for code that gives true or false, as far as its text shows. */
function isBoolean(node: Node | null | undefined): boolean {
  if (!node) return false;
  const part = node as Node & {
    value?: unknown;
    operator?: string;
    left?: Node;
    right?: Node;
    callee?: Node;
    consequent?: Node;
    alternate?: Node;
  };
  switch (node.type) {
    case 'Literal':
      return typeof part.value === 'boolean';
    case 'UnaryExpression':
      return part.operator === '!';
    case 'BinaryExpression':
      return COMPARISONS.has(part.operator ?? '');
    case 'LogicalExpression':
      return isBoolean(part.left) && isBoolean(part.right);
    case 'ConditionalExpression':
      return isBoolean(part.consequent) && isBoolean(part.alternate);
    case 'CallExpression': {
      const { property, name } = part.callee as Node & { property?: Named; name?: string };
      return name === 'Boolean' || TRUTHS.has(property?.name ?? '');
    }
    default:
      return false;
  }
}

/** True or false, or an object that says whether it passes. */
function isVerdict(node: Node | null | undefined): boolean {
  if (node?.type !== 'ObjectExpression') return isBoolean(node);
  const { properties } = node as Node & { properties: (Node & { key?: Named; value?: Node })[] };
  const pass = properties.find(({ key }) => key?.name === 'pass')?.value;
  const score = properties.find(({ key }) => key?.name === 'score')?.value;
  const isPlainScore =
    score === undefined || (score.type === 'Literal' && isShare((score as Node & { value?: unknown }).value));
  return isBoolean(pass) && isPlainScore;
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** Methods that a text has and that give a text, so that calls can follow. */
const TEXT_METHODS = new Set([
  'toLowerCase',
  'toUpperCase',
  'trim',
  'trimStart',
  'trimEnd',
  'slice',
  'replace',
  'replaceAll',
  'toString',
  'split',
  'filter',
  'map',
  'join',
]);
const SAFE_OBJECTS = new Set([
  'output',
  'context',
  'Math',
  'Object',
  'Array',
  'Number',
  'String',
  'Boolean',
  'Date',
]);

/** False for code that reads nothing but the text of the answer and the variables by their names. */
function mayThrow(program: Program): boolean {
  let isRisky = false;
  walk(program, (node) => {
    if (node.type === 'ThrowStatement' || node.type === 'AwaitExpression') isRisky = true;
    if (node.type === 'MemberExpression') isRisky ||= !isSafeObject((node as Node & { object: Node }).object);
  });
  return isRisky;
}

function isSafeObject(object: Node): boolean {
  const part = object as Node & {
    name?: string;
    callee?: Node;
    object?: Node;
    property?: Named;
    regex?: unknown;
    value?: unknown;
  };
  if (object.type === 'Identifier') return SAFE_OBJECTS.has(part.name ?? '');
  if (object.type === 'Literal') return part.regex !== undefined || typeof part.value === 'string';
  if (object.type === 'ArrayExpression' || object.type === 'TemplateLiteral') return true;
  if (object.type === 'CallExpression') {
    const callee = part.callee as Node & { object?: Node; property?: Named };
    const isText = callee.type === 'MemberExpression' && TEXT_METHODS.has(callee.property?.name ?? '');
    return isText && callee.object !== undefined && isSafeObject(callee.object);
  }
  // A variable may be something else than a text, so only `context.vars` itself is safe.
  return contextMember(object) === 'vars';
}

/** Calls `visit` for every node; does not enter nodes that `enter` refuses. */
function walk(
  root: Node,
  visit: (node: Node, parent: Node | undefined) => void,
  enter: (node: Node) => boolean = () => true,
): void {
  const step = (node: Node, parent: Node | undefined): void => {
    if (node.type === 'ObjectPattern')
      for (const property of (node as Node & { properties: Node[] }).properties) patternParts.add(property);
    visit(node, parent);
    if (parent !== undefined && !enter(node)) return;
    for (const part of Object.values(node)) {
      for (const inner of [part].flat() as unknown[]) if (isNode(inner)) step(inner, node);
    }
  };
  step(root, undefined);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
