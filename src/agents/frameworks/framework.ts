// The interface of a framework. No framework is imported: agents are recognised by their shape.

import type { Transcript } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import { isObject } from '../../json/is-object.ts';

/** An object of a framework, read field by field. */
export type Fields = Record<string, unknown>;

/** Runs the agent on the whole conversation; errors of the framework are thrown unchanged. */
type Ask = (messages: Message[], signal: AbortSignal) => Promise<Transcript>;

export type Framework = {
  /** Its name in the message for a default export that is not an agent. */
  title: string;
  /** True only for agents of this framework. */
  isAgent(value: Fields): boolean;
  /** Packages are resolved from `file`, the agent's file. */
  open(agent: Fields, file: string): Ask | Promise<Ask>;
};

export function hasMethods(value: unknown, ...names: string[]): value is Fields {
  return isObject(value) && names.every((name) => typeof readField(value, name) === 'function');
}

/** Reads a field; undefined if its getter throws. */
export function readField(value: unknown, name: string): unknown {
  try {
    return isObject(value) ? value[name] : undefined;
  } catch {
    return undefined;
  }
}

export function callMethod(value: Fields, name: string, ...args: unknown[]): unknown {
  // The caller has checked that the method exists.
  const method = value[name] as (...args: unknown[]) => unknown;
  return method.apply(value, args);
}

/** The objects of a list; empty for anything else. */
export function objectsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A field that is a non-empty string. */
export function textIn(value: unknown, name: string): string | undefined {
  const text = readField(value, name);
  return typeof text === 'string' && text !== '' ? text : undefined;
}
