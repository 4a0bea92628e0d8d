// Requests to the server: an address in, its JSON out. Every failure is a Refusal.

import { signal } from '@preact/signals';
import { token } from './token.ts';

/** A problem with one of the sent values; `name` is the variable. */
export type SentProblem = { name?: string; message: string; at?: string; hint?: string };

/** Why a request failed. Status 0: the server is not reachable. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly hint: string | undefined;
  readonly problems: readonly SentProblem[];

  constructor(status: number, body: { error: string; hint?: string; problems?: readonly SentProblem[] }) {
    super(body.error);
    this.status = status;
    this.hint = body.hint;
    this.problems = body.problems ?? [];
  }

  /** The problems for forms; at least one. */
  formProblems(): readonly SentProblem[] {
    if (this.problems.length > 0) return this.problems;
    return [{ message: this.message, ...(this.hint !== undefined && { hint: this.hint }) }];
  }
}

/** False after a request could not reach the server, until one succeeds again. */
export const isConnected = signal(true);

type Query = Record<string, string | number | undefined>;

/** `/api/runs?suite=nightly`; leaves out undefined and empty values. */
export function address(path: readonly string[], query: Query = {}): string {
  const known = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(known).toString();
  return `/api/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

/** Sends a GET request. The cast is safe because server and page are built together. */
export async function read<T>(url: string, signal?: AbortSignal): Promise<T> {
  const response = await open(url, signal);
  return (await response.json()) as T;
}

/** Sends a request that changes something. */
export async function send<T>(method: 'POST' | 'PUT', url: string, body: unknown): Promise<T> {
  const response = await ask(url, {
    method,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  });
  return (await response.json()) as T;
}

/** Returns the response for reading it as a stream. */
export async function open(url: string, signal?: AbortSignal): Promise<Response> {
  return ask(url, signal === undefined ? {} : { signal });
}

async function ask(url: string, request: RequestInit): Promise<Response> {
  const own = token();
  const headers = new Headers(request.headers);
  if (own !== undefined) headers.set('Authorization', `Bearer ${own}`);
  const response = await fetch(url, { ...request, headers }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    isConnected.value = false;
    throw new Refusal(0, { error: 'The viewer has stopped', hint: 'start it again with: assay view' });
  });
  isConnected.value = true;
  if (!response.ok) throw await readRefusal(response);
  return response;
}

async function readRefusal(response: Response): Promise<Refusal> {
  const body: unknown = await response.json().catch(() => undefined);
  const hasError = typeof body === 'object' && body !== null && 'error' in body;
  // The cast is safe because errors of the server have this shape.
  const problem = hasError
    ? (body as { error: string })
    : { error: `The server answered ${response.status}` };
  return new Refusal(response.status, problem);
}
