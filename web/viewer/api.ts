// Asks the server: an address in, its JSON out; everything that goes wrong is a Refusal.

import { signal } from '@preact/signals';
import { token } from './token.ts';

/** What is wrong with one thing that was sent; `name` is the variable it is about. */
export type SentProblem = { name?: string; message: string; at?: string; hint?: string };

/** Why there is no answer. Status 0: there is no server any more. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly hint: string | undefined;
  readonly problems: readonly SentProblem[];

  constructor(status: number, told: { error: string; hint?: string; problems?: readonly SentProblem[] }) {
    super(told.error);
    this.status = status;
    this.hint = told.hint;
    this.problems = told.problems ?? [];
  }

  /** At least one, for forms. */
  told(): readonly SentProblem[] {
    if (this.problems.length > 0) return this.problems;
    return [{ message: this.message, ...(this.hint !== undefined && { hint: this.hint }) }];
  }
}

/** False from when a request has found nobody until one is answered again. */
export const isConnected = signal(true);

type Query = Record<string, string | number | undefined>;

/** `/api/runs?suite=nightly`; what is undefined or empty is left out. */
export function address(path: readonly string[], query: Query = {}): string {
  const known = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(known).toString();
  return `/api/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

/** Reads something. A cast, because the server and this page are made together. */
export async function read<T>(url: string, signal?: AbortSignal): Promise<T> {
  const response = await open(url, signal);
  return (await response.json()) as T;
}

/** Changes something. */
export async function send<T>(method: 'POST' | 'PUT', url: string, body: unknown): Promise<T> {
  const response = await ask(url, {
    method,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  });
  return (await response.json()) as T;
}

/** For an answer that is read piece by piece. */
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
  if (!response.ok) throw await refusalOf(response);
  return response;
}

async function refusalOf(response: Response): Promise<Refusal> {
  const told: unknown = await response.json().catch(() => undefined);
  const isTold = typeof told === 'object' && told !== null && 'error' in told;
  // A cast, because errors of the server have this shape.
  const why = isTold ? (told as { error: string }) : { error: `The server answered ${response.status}` };
  return new Refusal(response.status, why);
}
