// Objects with fields, objects with free names, and lists.

import { isObject } from '../json/is-object.ts';
import type { Findings, JsonSchema, Shape } from './shape.ts';
import { nameHint } from './shape.ts';

/** A field of an object. Editors show the description; `hint` helps where a required field is missing. */
export type Field<T = unknown, Required extends boolean = boolean> = {
  shape: Shape<T>;
  description: string | undefined;
  isRequired: Required;
  hint?: string | undefined;
};

export type Fields = { [name: string]: Field };

type RequiredNames<F extends Fields> = {
  [Name in keyof F]: F[Name] extends Field<unknown, true> ? Name : never;
}[keyof F];
type FieldType<F> = F extends Field<infer T> ? T : never;

/** The type of an object with these fields. */
export type FieldTypes<F extends Fields> = { [Name in RequiredNames<F>]: FieldType<F[Name]> } & {
  [Name in Exclude<keyof F, RequiredNames<F>>]?: FieldType<F[Name]>;
};

export function required<T>(shape: Shape<T>, description?: string, hint?: string): Field<T, true> {
  return { shape, description, isRequired: true, hint };
}

export function optional<T>(shape: Shape<T>, description?: string): Field<T, false> {
  return { shape, description, isRequired: false };
}

type ObjectOptions = {
  /** Other fields: refused (default), refused only if they look like a typing mistake, or accepted. */
  others?: 'refused' | 'typos-refused' | 'free';
  /** In messages about a value that is no object. */
  expected?: string;
  hint?: string;
  /** Hints for names that other tools use, by name. */
  otherNames?: Readonly<Record<string, string>>;
};

/** An object with these fields; problems come in the order of the value's fields, missing ones last. */
export function object<F extends Fields>(fields: F, options: ObjectOptions = {}): Shape<FieldTypes<F>> {
  const { others = 'refused', expected = 'an object', hint, otherNames = {} } = options;
  const known = new Map(Object.entries(fields));
  const requiredNames = Object.keys(fields).filter((name) => fields[name]?.isRequired === true);

  return {
    check(value, findings) {
      if (!isObject(value)) return findings.wrong(expected, value, hint);
      for (const name in value) {
        if (value[name] === undefined) continue;
        const field = known.get(name);
        if (field !== undefined) findings.checkInside(name, field.shape, value[name]);
        else if (others !== 'free' && Object.hasOwn(otherNames, name))
          findings.unknown(name, otherNames[name] ?? '');
        else if (others !== 'free') reportUnknown(name, [...known.keys()], others, findings);
      }
      for (const name of requiredNames)
        if (value[name] === undefined) findings.missing(name, known.get(name)?.hint);
    },
    schema: () => ({
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(fields).map(([name, { shape, description }]) => [
          name,
          description === undefined ? shape.schema() : { description, ...shape.schema() },
        ]),
      ),
      ...(requiredNames.length > 0 && { required: requiredNames }),
      ...(others === 'refused' && { additionalProperties: false }),
    }),
  };
}

function reportUnknown(
  name: string,
  known: readonly string[],
  others: 'refused' | 'typos-refused',
  findings: Findings,
): void {
  const hint = nameHint(name, known);
  if (others === 'typos-refused' && !hint.startsWith('did you mean')) return;
  const isOneLevelShort = known.length === 1 && known[0] === findings.path.at(-1);
  findings.unknown(
    name,
    isOneLevelShort ? `write "${name}" into a further "${known[0] ?? ''}" in here` : hint,
  );
}

type RecordOptions = ListOptions & {
  /** The problem of a name, if any. */
  nameProblem?: (name: string) => string | undefined;
};

/** An object whose names are free. */
export function record<T>(shape: Shape<T>, options: RecordOptions = {}): Shape<Record<string, T>> {
  const { isEmptyFine = true, expected = 'an object', hint, nameProblem } = options;
  return {
    check(value, findings) {
      if (!isObject(value)) return findings.wrong(expected, value, hint);
      if (!isEmptyFine && Object.keys(value).length === 0) return findings.rule('is empty', hint);
      for (const name in value) {
        findings.path.push(name);
        const problem = nameProblem?.(name);
        if (problem === undefined) shape.check(value[name], findings);
        else findings.rule(problem);
        findings.path.pop();
      }
    },
    schema: () => ({ type: 'object', additionalProperties: shape.schema() }),
  };
}

type ListOptions = { isEmptyFine?: boolean; expected?: string; hint?: string };

export function list<T>(shape: Shape<T>, options: ListOptions = {}): Shape<T[]> {
  const { isEmptyFine = false, expected = 'a list', hint } = options;
  return {
    check(value, findings) {
      if (!Array.isArray(value)) return findings.wrong(expected, value, hint);
      if (value.length === 0 && !isEmptyFine) return findings.rule('is an empty list', hint);
      for (let index = 0; index < value.length; index++) findings.checkInside(index, shape, value[index]);
    },
    schema: () => ({ type: 'array', items: shape.schema(), ...(!isEmptyFine && { minItems: 1 }) }),
  };
}

/** One such value, which is not a list itself, or a list of them. */
export function oneOrMore<T>(shape: Shape<T>, options: ListOptions = {}): Shape<T | T[]> {
  const many = list(shape, options);
  return {
    check: (value, findings) => (Array.isArray(value) ? many : shape).check(value, findings),
    schema: () => ({ anyOf: [shape.schema(), many.schema()] }),
  };
}

/** The same shape with rules in its schema that are checked elsewhere because they depend on several fields. */
export function withSchemaRules<T>(shape: Shape<T>, rules: JsonSchema): Shape<T> {
  return { ...shape, schema: () => ({ ...shape.schema(), ...rules }) };
}
