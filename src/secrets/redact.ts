// Keeps secrets out of everything that is written or shown.

import { toWellFormed } from '../json/well-formed.ts';

const MASK = '***';
/** So much of a secret is worth hiding; no secret is shorter. */
const PART = 8;

export type Redactor = {
  /** True if a line of JSON may hold a secret; cheap, and never false for one that does. */
  mayHold(line: string): boolean;
  /** A copy of an event without the secrets. Its own field names, states, hashes and counters stay. */
  redact<Event extends object>(event: Event): Event;
  /** A text without the secrets, and what stands there instead. */
  text(value: string, mask?: string): string;
  /** From now on these are secrets too: some are known only once an agent runs. */
  learn(secrets: readonly string[]): void;
};

/** A part of an event that is built by Assay. */
type Part = {
  /** Fields whose texts only Assay writes, or others find an event by. */
  fixed: ReadonlySet<string>;
  /** All fields that Assay gives it, if user code may add others. */
  known?: ReadonlySet<string>;
};

const EVENT: Part = {
  fixed: new Set(['code', 'key', 'kind', 'reason', 'run_id', 'status', 'timestamp', 'type', 'version']),
};
const PLAIN: Part = { fixed: new Set() };
/** Everything else in an event is what users, agents and judges say, whatever its fields are called. */
const PARTS: ReadonlyMap<string, Part> = new Map([
  ['checkpoints', PLAIN],
  ['checks', PLAIN],
  ['environment', PLAIN],
  ['flags', PLAIN],
  ['inputs', { fixed: new Set(['agent_sha256', 'sha256', 'type']) }],
  ['simulation', PLAIN],
  ['subtests', { fixed: new Set(['status']) }],
  [
    'tool_calls',
    { fixed: new Set(), known: new Set(['arguments', 'duration_ms', 'error', 'name', 'result']) },
  ],
  ['usage', PLAIN],
  ['verdicts', { fixed: new Set(['status', 'type']) }],
]);
/** Fields that hold whatever users and agents say, numbers included. */
const DATA = new Set(['actual', 'arguments', 'expected', 'input', 'output', 'result', 'variables']);

/** Replaces every secret in the texts of an event, in the forms it may take there. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = new Set<string>();
  let ordered: string[] = [];
  let hints: string[] = [];
  learn(secrets);

  function learn(more: readonly string[]): void {
    for (const secret of more) {
      forms.add(secret);
      forms.add(escaped(secret));
      forms.add(encodeURIComponent(toWellFormed(secret)));
    }
    // The longest first: a secret that contains another one is replaced whole.
    ordered = [...forms].sort((a, b) => b.length - a.length);
    hints = [...new Set(ordered.map(escaped).flatMap((form) => [form.slice(0, PART), form.slice(-PART)]))];
  }

  function text(value: string, mask = MASK): string {
    const whole = ordered.reduce(
      (rest, form) => (rest.includes(form) ? rest.replaceAll(form, mask) : rest),
      value,
    );
    const clean = ordered.reduce(withoutParts, whole);
    return clean;
  }

  function data(value: unknown): unknown {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number' || typeof value === 'boolean') return plain(value);
    if (Array.isArray(value)) return value.map(data);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [text(name), data(field)]));
  }

  function plain(value: number | boolean): unknown {
    const written = String(value);
    return text(written) === written ? value : MASK;
  }

  function own(value: unknown, part: Part): unknown {
    if (Array.isArray(value)) return value.map((item) => own(item, part));
    if (!isObject(value)) return data(value);
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) =>
        part.known === undefined || part.known.has(name)
          ? [name, ownField(name, field, part)]
          : [text(name), data(field)],
      ),
    );
  }

  function ownField(name: string, value: unknown, { fixed }: Part): unknown {
    if (fixed.has(name) && typeof value === 'string') return value;
    const part = PARTS.get(name);
    if (part !== undefined) return own(value, part);
    if (typeof value === 'number' || typeof value === 'boolean') return DATA.has(name) ? plain(value) : value;
    return data(value);
  }

  return {
    mayHold: (line) => hints.some((part) => line.includes(part)),
    // Only texts and what users say are replaced, so the shape stays.
    redact: <Event extends object>(event: Event) => own(event, EVENT) as Event,
    text,
    learn,
  };
}

/** A text may have been cut in the middle of a secret: what is left of it at the cut goes too. */
function withoutParts(text: string, form: string): string {
  return withoutHead(withoutTail(text, form), form);
}

/** The beginning of a secret, before the end of the text or an ellipsis. */
function withoutTail(text: string, form: string): string {
  const start = form.slice(0, PART);
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    let length = PART;
    while (length < form.length && text[at + length] === form[length]) length += 1;
    const rest = text.slice(at + length);
    if (rest === '' || /^\s*(?:…|\.\.\.)/.test(rest))
      return withoutTail(text.slice(0, at) + MASK + rest, form);
  }
  return text;
}

/** The end of a secret, at the beginning of the text. */
function withoutHead(text: string, form: string): string {
  const length = text.indexOf(form.slice(-PART)) + PART;
  const isCut = length >= PART && length <= form.length && text.startsWith(form.slice(-length));
  return isCut ? MASK + text.slice(length) : text;
}

/** As it stands between the quotes of JSON. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
