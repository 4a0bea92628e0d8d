// What every framework looks like to the rest of this folder. Nothing here imports one: agents are known by their shape.

import type { Transcript } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import { isObject } from '../../json/is-object.ts';

/** An object of a framework, of which nothing is known but what it is asked for. */
export type Fields = Record<string, unknown>;

/** Gives the agent the whole conversation. What the framework throws is thrown as it is. */
type Ask = (messages: Message[], signal: AbortSignal) => Promise<Transcript>;

export type Framework = {
  /** What it is called where a user has exported something else. */
  title: string;
  /** True for the agents of this framework and for nothing else. */
  isAgent(value: Fields): boolean;
  /** `file` is the agent's own, from where its packages are found. */
  open(agent: Fields, file: string): Ask | Promise<Ask>;
};

/** True if all of these are functions of the object. */
export function hasMethods(value: unknown, ...names: string[]): value is Fields {
  return isObject(value) && names.every((name) => typeof fieldOf(value, name) === 'function');
}

/** A field of an object of somebody else, whose getter may throw. */
export function fieldOf(value: unknown, name: string): unknown {
  try {
    return isObject(value) ? value[name] : undefined;
  } catch {
    return undefined;
  }
}

/** Calls a method that is known to be there. */
export function callMethod(value: Fields, name: string, ...args: unknown[]): unknown {
  // The framework decides what it takes; it is called as its documentation says.
  const method = value[name] as (...args: unknown[]) => unknown;
  return method.apply(value, args);
}

/** The objects in what should be a list. */
export function objectsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A text, or nothing. */
export function textIn(value: unknown, name: string): string | undefined {
  const text = fieldOf(value, name);
  return typeof text === 'string' && text !== '' ? text : undefined;
}
