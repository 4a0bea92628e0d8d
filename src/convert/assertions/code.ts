// Assertions that are code: JavaScript becomes an expression or a script, Python a script.

import { isCode } from '../source/files.ts';
import { fileReference } from '../source/files.ts';
import type { AssertionContext, Converter, GivenAssertion, Written } from './given.ts';
import { toExpression } from './javascript.ts';

export const CODE: Record<string, Converter> = {
  javascript,
  python,
  webhook({ value, at, name }, { losses, addScript }) {
    if (typeof value !== 'string') return void losses.missing(at, name, 'it needs an address as value');
    return { type: 'script', script: addScript({ type: 'webhook', url: value }) };
  },
};

function javascript(given: GivenAssertion, context: AssertionContext): Written | undefined {
  const { value, threshold, at, name, fields, isNegated } = given;
  if (typeof value !== 'string') return void context.losses.missing(at, name, 'it has no code');
  const file = fileReference(value, context.folders);
  if (file !== undefined)
    return {
      type: 'script',
      script: context.addScript({
        type: 'javascript',
        ...withFunction(file),
        threshold,
        config: fields['config'],
        isNegated,
      }),
    };
  const converted = toExpression(value, { threshold, isStructured: context.isStructured, isNegated });
  if ('code' in converted) return { type: 'expression', value: converted.code };
  return void context.losses.missing(at, name, converted.problem, converted.instead);
}

function python(given: GivenAssertion, context: AssertionContext): Written | undefined {
  const { value, threshold, at, name, fields, isNegated } = given;
  if (typeof value !== 'string' || value.trim() === '')
    return void context.losses.missing(at, name, 'it has no code');
  const isNamed = value.startsWith('file://') || (isCode(value) && !/\s/.test(value));
  const file = isNamed
    ? fileReference(value.startsWith('file://') ? value : `file://${value}`, context.folders)
    : undefined;
  const script =
    file === undefined
      ? context.addScript({ type: 'inline-python', code: value, threshold, isNegated })
      : context.addScript({
          type: 'python',
          ...withFunction(file),
          threshold,
          config: fields['config'],
          isNegated,
        });
  return { type: 'script', script };
}

function withFunction(file: { path: string; function?: string }): {
  path: string;
  function: string | undefined;
} {
  return { path: file.path, function: file.function };
}
