// Keeps secrets out of everything that is written or shown.

import { toWellFormed } from '../json/well-formed.ts';

const MASK = '***';
/** Fragments of a secret are hidden from this length on; no secret is shorter. */
const PART = 8;

export type Redactor = {
  /** Cheap test for secrets in a line of JSON; may report true without a secret, never false with one. */
  mayContainSecret(line: string): boolean;
  /** Copies an event with all secrets masked. Keeps Assay's own field names, states, hashes and counters. */
  redact<Event extends object>(event: Event): Event;
  /** Replaces the secrets in a text by `mask`. */
  text(value: string, mask?: string): string;
  /** Adds secrets: some are known only once an agent runs. */
  learn(secrets: readonly string[]): void;
};

/** A part of an event that Assay builds. */
type Part = {
  /** Fields that are never masked: Assay writes them, or they identify the event. */
  fixed: ReadonlySet<string>;
  /** All fields that Assay writes, if user code may add others. */
  known?: ReadonlySet<string>;
};

const EVENT: Part = {
  fixed: new Set(['code', 'key', 'kind', 'reason', 'run_id', 'status', 'timestamp', 'type', 'version']),
};
const PLAIN: Part = { fixed: new Set() };
/** All other parts of an event come from users, agents and judges and are masked completely. */
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
/** Fields with data of users and agents, in which numbers are masked too. */
const DATA = new Set(['actual', 'arguments', 'expected', 'input', 'output', 'result', 'variables']);

/** Creates a redactor that masks secrets as they are, escaped for JSON and encoded for URLs. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = new Set<string>();
  let ordered: string[] = [];
  let hints: string[] = [];
  learn(secrets);

  function learn(more: readonly string[]): void {
    for (const secret of more) {
      forms.add(secret);
      forms.add(escapeForJson(secret));
      forms.add(encodeURIComponent(toWellFormed(secret)));
    }
    // Longest first, so that a secret that contains another one is replaced as a whole.
    ordered = [...forms].sort((a, b) => b.length - a.length);
    hints = [
      ...new Set(ordered.map(escapeForJson).flatMap((form) => [form.slice(0, PART), form.slice(-PART)])),
    ];
  }

  function text(value: string, mask = MASK): string {
    const whole = ordered.reduce(
      (rest, form) => (rest.includes(form) ? rest.replaceAll(form, mask) : rest),
      value,
    );
    return ordered.reduce(maskFragments, whole);
  }

  const maskPart = createPartMasker(text);
  return {
    mayContainSecret: (line) => hints.some((part) => line.includes(part)),
    // The cast is safe: only texts and user data change, the shape stays.
    redact: <Event extends object>(event: Event) => maskPart(event, EVENT) as Event,
    text,
    learn,
  };
}

/** Masks the parts of an event; `text` masks a single text. */
function createPartMasker(text: (value: string) => string): (value: unknown, part: Part) => unknown {
  return maskPart;

  function maskData(value: unknown): unknown {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number' || typeof value === 'boolean') return maskScalar(value);
    if (Array.isArray(value)) return value.map(maskData);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [text(name), maskData(field)]));
  }

  function maskScalar(value: number | boolean): unknown {
    const written = String(value);
    return text(written) === written ? value : MASK;
  }

  function maskPart(value: unknown, part: Part): unknown {
    if (Array.isArray(value)) return value.map((item) => maskPart(item, part));
    if (!isObject(value)) return maskData(value);
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) =>
        part.known === undefined || part.known.has(name)
          ? [name, maskField(name, field, part)]
          : [text(name), maskData(field)],
      ),
    );
  }

  function maskField(name: string, value: unknown, { fixed }: Part): unknown {
    if (fixed.has(name) && typeof value === 'string') return value;
    const part = PARTS.get(name);
    if (part !== undefined) return maskPart(value, part);
    if (typeof value === 'number' || typeof value === 'boolean')
      return DATA.has(name) ? maskScalar(value) : value;
    return maskData(value);
  }
}

/** A text may be cut in the middle of a secret; this masks the fragment at the cut. */
function maskFragments(text: string, form: string): string {
  return maskAtStart(maskAtEnd(text, form), form);
}

/** Masks the start of a secret before the end of the text or an ellipsis. */
function maskAtEnd(text: string, form: string): string {
  const start = form.slice(0, PART);
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    let length = PART;
    while (length < form.length && text[at + length] === form[length]) length += 1;
    const rest = text.slice(at + length);
    if (rest === '' || /^\s*(?:…|\.\.\.)/.test(rest)) return maskAtEnd(text.slice(0, at) + MASK + rest, form);
  }
  return text;
}

/** Masks the end of a secret at the start of the text. */
function maskAtStart(text: string, form: string): string {
  const length = text.indexOf(form.slice(-PART)) + PART;
  const isCut = length >= PART && length <= form.length && text.startsWith(form.slice(-length));
  return isCut ? MASK + text.slice(length) : text;
}

/** A text as it appears between the quotes of JSON. */
function escapeForJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
