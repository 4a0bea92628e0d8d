// `ctx.trace`: what a hook did, step by step, for the report. Bounded.

import { isObject } from '../../json/is-object.ts';
import type { TraceEntry, TraceStep } from '../../model/agent.ts';
import { messageOf } from '../../errors.ts';
import { ellipsize } from '../../text/cut-text.ts';
import { strict } from './strict.ts';

/** The trace of one request; `count` also counts entries that are not kept. */
export type Trace = { entries: TraceEntry[]; count: number };

type Log = (message: unknown, ...values: unknown[]) => void;

type Tracer = {
  Add(input?: unknown, option?: unknown): TraceNode;
  Parallel(steps: unknown): TraceNode[];
  Info: Log;
  Debug: Log;
  Warn: Log;
  Error: Log;
};

type TraceNode = Tracer & {
  SetOutput(output: unknown): TraceNode;
  SetMetadata(key: string, value: unknown): TraceNode;
  Complete(output?: unknown): TraceNode;
  Fail(error: unknown): TraceNode;
};

const MAX_ENTRIES = 500;
const MAX_VALUE_LENGTH = 10_000;
const OPTIONS = ['label', 'type', 'icon', 'description'] as const;

/** `current` returns the trace of the request that is under way. */
export function createTrace(current: () => Trace): Tracer {
  return strict(
    'ctx.trace',
    tracer(current, (entry) => keep(current(), current().entries, entry)),
  );
}

function tracer(current: () => Trace, add: (entry: TraceEntry) => void): Tracer {
  const log =
    (level: 'info' | 'debug' | 'warn' | 'error'): Log =>
    (message, ...values) =>
      add({ level, message: [message, ...values].map(asText).join(' ') });
  const addStep = (input: unknown, option: unknown): TraceNode => {
    const step: TraceStep = { status: 'running' };
    for (const name of OPTIONS) {
      const value = isObject(option) ? option[name] : undefined;
      if (value !== undefined && value !== null) step[name] = asText(value);
    }
    if (input !== undefined && input !== null) step.input = bounded(input);
    add(step);
    return createNode(current, step);
  };
  return {
    Add: addStep,
    Parallel(steps) {
      if (!Array.isArray(steps)) throw new TypeError('trace.Parallel needs a list of {input, option}');
      return steps.map((step: unknown) =>
        isObject(step) ? addStep(step['input'], step['option']) : addStep(step, undefined),
      );
    },
    Info: log('info'),
    Debug: log('debug'),
    Warn: log('warn'),
    Error: log('error'),
  };
}

function createNode(current: () => Trace, step: TraceStep): TraceNode {
  const add = (entry: TraceEntry): void => keep(current(), (step.children ??= []), entry);
  const node: TraceNode = strict('ctx.trace.Add(…)', {
    ...tracer(current, add),
    SetOutput(output: unknown) {
      step.output = bounded(output);
      return node;
    },
    SetMetadata(key: string, value: unknown) {
      step.metadata = { ...step.metadata, [key]: bounded(value) };
      return node;
    },
    Complete(output?: unknown) {
      if (output !== undefined) step.output = bounded(output);
      step.status = 'completed';
      return node;
    },
    Fail(error: unknown) {
      step.status = 'failed';
      step.error = asText(error instanceof Error ? messageOf(error) : error);
      return node;
    },
  });
  return node;
}

function keep(trace: Trace, list: TraceEntry[], entry: TraceEntry): void {
  trace.count += 1;
  if (trace.count <= MAX_ENTRIES) list.push(entry);
}

/** The entries for the transcript; undefined if nothing was traced. */
export function traceEntries({ entries, count }: Trace): TraceEntry[] | undefined {
  if (count === 0) return undefined;
  const dropped = count - MAX_ENTRIES;
  if (dropped <= 0) return entries;
  return [
    ...entries,
    { level: 'warn', message: `${String(dropped)} more entries of the trace are not kept` },
  ];
}

/** A JSON copy; a long value becomes the start of its text. */
function bounded(value: unknown): unknown {
  const text = asText(value);
  if (text.length > MAX_VALUE_LENGTH) return ellipsize(text, MAX_VALUE_LENGTH);
  return typeof value === 'object' && value !== null ? (JSON.parse(text) as unknown) : (value ?? null);
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch (error) {
    return JSON.stringify(`cannot be written as JSON: ${messageOf(error)}`);
  }
}
