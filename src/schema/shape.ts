// One declaration of what a value may be. It checks the value, is the source of its JSON Schema and of its TypeScript type.

import { didYouMean } from '../text/nearest.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

export type Shape<T = unknown> = {
  /** Adds everything that is wrong with the value. A valid value allocates nothing: a million cases go through here. */
  check(value: unknown, findings: Findings): void;
  schema(): JsonSchema;
  /** Never set: it carries the type for `Infer`. */
  readonly infer?: T;
};

/** The TypeScript type of a shape's values. */
export type Infer<S> = S extends Shape<infer T> ? T : never;

/** Names of fields and indexes of lists, from the outside in. */
export type Path = readonly (string | number)[];

/**
 * One thing that is wrong, before it is put into words: each kind of file has its own wording.
 * The message of `rule` follows the name of the value: 'must not be empty'; that of `note` is a sentence of its own.
 * `missing` has the path of the absent field.
 */
export type Flaw = { path: Path; hint?: string | undefined } & (
  | { type: 'wrong'; expected: string; value: unknown }
  | { type: 'rule' | 'note'; message: string }
  | { type: 'missing' | 'unknown' }
);

/** More than people read; each takes time to describe and to locate. */
const MAX_FLAWS = 50;

/** Collects flaws during one check. Shapes move `path` as they descend, so that only a flaw copies it. */
export class Findings {
  readonly path: (string | number)[] = [];
  /** Application root: the files that a value names must be in it. Without a root, no shape looks at files. */
  root: string | undefined;
  #flaws: Flaw[] = [];
  /** Flaws beyond the limit are only counted. */
  #left = 0;

  /** The value is not what the shape expects: 'a whole number', 'true or false'. */
  wrong(expected: string, value: unknown, hint?: string): void {
    this.#add({ type: 'wrong', path: [...this.path], expected, value, hint });
  }

  rule(message: string, hint?: string): void {
    this.#add({ type: 'rule', path: [...this.path], message, hint });
  }

  note(message: string, hint?: string): void {
    this.#add({ type: 'note', path: [...this.path], message, hint });
  }

  missing(name: string, hint?: string): void {
    this.#add({ type: 'missing', path: [...this.path, name], hint });
  }

  unknown(name: string, hint: string): void {
    this.#add({ type: 'unknown', path: [...this.path, name], hint });
  }

  /** Checks a field or an item of the current value. */
  checkInside(name: string | number, shape: Shape, value: unknown): void {
    this.path.push(name);
    shape.check(value, this);
    this.path.pop();
  }

  get count(): number {
    return this.#flaws.length + this.#left;
  }

  #add(flaw: Flaw): void {
    if (this.#flaws.length < MAX_FLAWS) this.#flaws.push(flaw);
    else this.#left += 1;
  }

  take(): readonly Flaw[] {
    if (this.#flaws.length === 0) return NO_FLAWS;
    const flaws = this.#flaws;
    if (this.#left > 0)
      flaws.push({ type: 'note', path: [], message: `and ${String(this.#left)} more problems` });
    this.#flaws = [];
    this.#left = 0;
    return flaws;
  }
}

const NO_FLAWS: readonly Flaw[] = Object.freeze([]);

/** Reused by the next check; undefined while a check runs. */
let idle: Findings | undefined = new Findings();

/** Everything that is wrong with a value. */
export function findFlaws(shape: Shape, value: unknown, root?: string): readonly Flaw[] {
  const findings = idle ?? new Findings();
  idle = undefined;
  findings.root = root;
  shape.check(value, findings);
  const flaws = findings.take();
  idle = findings;
  return flaws;
}

/** True if nothing is wrong with a value. */
export function matches<T>(shape: Shape<T>, value: unknown): value is T {
  return findFlaws(shape, value).length === 0;
}

/** The hint for a name that does not exist. */
export function nameHint(name: string, known: readonly string[]): string {
  return didYouMean(name, known) ?? `it may have ${known.join(', ')}`;
}

/** Path of a value as users write it: `input[0].content`. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${String(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}
