// A template and values in, text out, as Nunjucks would write it. Everything else throws a TemplateError.

import { isObject } from '../../json/is-object.ts';
import type { Expression } from './expression.ts';
import { TemplateError } from './expression.ts';
import { FILTERS } from './filters.ts';
import { scalarText } from './scalar-text.ts';
import type { TemplatePart } from './template.ts';
import { parseTemplate } from './template.ts';

type Scope = Record<string, unknown>;

/** No template that a person wrote is longer than this. */
const MAX_LENGTH = 5_000_000;

/**
 * Renders a template with the values of a test.
 * @example renderTemplate('Hello {{ name | upper }}', { name: 'Ann' }) // 'Hello ANN'
 */
export function renderTemplate(source: string, values: Scope): string {
  return renderParts(parseTemplate(source), { ...values });
}

function renderParts(parts: readonly TemplatePart[], scope: Scope): string {
  let out = '';
  for (const part of parts) {
    out += renderPart(part, scope);
    if (out.length > MAX_LENGTH) throw new TemplateError('the text becomes too long');
  }
  return out;
}

function renderPart(part: TemplatePart, scope: Scope): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'output':
      return toText(evaluate(part.value, scope));
    case 'set':
      scope[part.name] = evaluate(part.value, scope);
      return '';
    case 'if': {
      const branch = part.branches.find(({ test }) => test === undefined || isTrue(evaluate(test, scope)));
      return branch === undefined ? '' : renderParts(branch.body, scope);
    }
    case 'for':
      return renderLoop(part, scope);
  }
}

function renderLoop(part: TemplatePart & { type: 'for' }, scope: Scope): string {
  const list = evaluate(part.list, scope) ?? [];
  const rows: unknown[][] = Array.isArray(list)
    ? list.map((item: unknown) => (part.names.length > 1 && Array.isArray(item) ? item : [item]))
    : Object.entries(isObject(list) ? list : {});
  if (rows.length === 0) return renderParts(part.otherwise, scope);
  return rows
    .map((row, index) => {
      const inner: Scope = { ...scope };
      for (const [position, name] of part.names.entries()) inner[name] = row[position];
      const { length } = rows;
      const loop = {
        index: index + 1,
        index0: index,
        first: index === 0,
        last: index === length - 1,
        length,
      };
      return renderParts(part.body, { ...inner, loop });
    })
    .join('');
}

/** Nunjucks writes nothing for what is not there. An object has no text that anybody wants. */
function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(toText).join(',');
  const text = scalarText(value);
  if (text === undefined) throw new TemplateError('it writes an object as text; use the filter dump');
  return text;
}

function evaluate(expression: Expression, scope: Scope): unknown {
  switch (expression.type) {
    case 'value':
      return expression.value;
    case 'name':
      return readName(expression.name, scope);
    case 'list':
      return expression.items.map((item) => evaluate(item, scope));
    case 'member':
      return readMember(evaluate(expression.object, scope), evaluate(expression.key, scope));
    case 'filter':
      return applyFilter(expression, scope);
    case 'not':
      return !isTrue(evaluate(expression.operand, scope));
    case 'minus':
      return -Number(evaluate(expression.operand, scope));
    case 'binary':
      return applyOperator(expression, scope);
    case 'test':
      return applyTest(expression, scope);
    case 'choice':
      return evaluate(
        isTrue(evaluate(expression.test, scope)) ? expression.whenTrue : expression.otherwise,
        scope,
      );
  }
}

function readName(name: string, scope: Scope): unknown {
  if (Object.hasOwn(scope, name)) return scope[name];
  if (name === 'env')
    throw new TemplateError('it reads the environment, which is known only when the tests run');
  if (name.startsWith('_conversation')) throw new TemplateError('it uses the conversation so far');
  return undefined;
}

function readMember(object: unknown, key: unknown): unknown {
  if (typeof object === 'string') return key === 'length' ? object.length : object[Number(key)];
  if (typeof object !== 'object' || object === null) return undefined;
  const name = String(key);
  return name === 'length' || Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}

function applyFilter(
  { name, input, arguments: given }: Expression & { type: 'filter' },
  scope: Scope,
): unknown {
  const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
  if (filter === undefined) throw new TemplateError(`the filter "${name}" is not known here`);
  return filter(
    evaluate(input, scope),
    given.map((one) => evaluate(one, scope)),
  );
}

function applyTest({ name, operand, isNegated }: Expression & { type: 'test' }, scope: Scope): boolean {
  const value = evaluate(operand, scope);
  const TESTS: Record<string, () => boolean> = {
    defined: () => value !== undefined,
    undefined: () => value === undefined,
    none: () => value === null,
    null: () => value === null,
    string: () => typeof value === 'string',
    number: () => typeof value === 'number',
    truthy: () => isTrue(value),
    falsy: () => !isTrue(value),
    iterable: () => Array.isArray(value),
    mapping: () => isObject(value),
    odd: () => Number(value) % 2 === 1,
    even: () => Number(value) % 2 === 0,
  };
  const test = Object.hasOwn(TESTS, name) ? TESTS[name] : undefined;
  if (test === undefined) throw new TemplateError(`the test "${name}" is not known here`);
  return test() !== isNegated;
}

function applyOperator({ operator, left, right }: Expression & { type: 'binary' }, scope: Scope): unknown {
  const first = evaluate(left, scope);
  if (operator === 'or') return isTrue(first) ? first : evaluate(right, scope);
  if (operator === 'and') return isTrue(first) ? evaluate(right, scope) : first;
  const second = evaluate(right, scope);
  const [a, b] = [first as number, second as number];
  switch (operator) {
    // Nunjucks compares as JavaScript does.
    case '==':
      // oxlint-disable-next-line eqeqeq
      return first == second;
    case '!=':
      // oxlint-disable-next-line eqeqeq
      return first != second;
    case '===':
      return first === second;
    case '!==':
      return first !== second;
    case '<':
      return a < b;
    case '>':
      return a > b;
    case '<=':
      return a <= b;
    case '>=':
      return a >= b;
    case 'in':
      if (typeof second === 'string') return second.includes(toText(first));
      return Array.isArray(second)
        ? second.includes(first)
        : isObject(second) && Object.hasOwn(second, toText(first));
    case '~':
      return toText(first) + toText(second);
    case '+':
      return typeof first === 'number' && typeof second === 'number'
        ? first + second
        : toText(first) + toText(second);
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '//':
      return Math.floor(a / b);
    case '%':
      return a % b;
    default:
      throw new TemplateError(`the operator "${operator}" is not known here`);
  }
}

function isTrue(value: unknown): boolean {
  return Boolean(value);
}
