// Cases and sessions in, which case judges which session out. A case has the sessions with its id, else those that begin with its
// input; `*` in an id stands for any text, for sessions that no other case has.

import type { TestCase } from '../../model/case.ts';
import { matchesWildcard } from '../../text/wildcard.ts';
import type { Session } from './session.ts';

/** A session as a case of the run. */
export type GradedSession = { session: Session; id: string };

export type Matches = {
  /** By the position of the input and the id of the case. */
  of(input: number, id: string): readonly GradedSession[];
  /** Sessions that no case judges. */
  left: readonly GradedSession[];
};

/** The cases of all inputs, each time they are asked for. */
export type ReadCases = () => AsyncIterable<{ input: number; case: TestCase }>;

export async function matchSessions(sessions: readonly Session[], cases: ReadCases): Promise<Matches> {
  const matching = new Matching(sessions);
  for await (const one of cases()) matching.takeNamed(one.input, one.case.id);
  if (matching.hasFree) for await (const one of cases()) matching.takeAsked(one.input, one.case);
  if (matching.hasFree) for await (const one of cases()) matching.takeRest(one.input, one.case.id);
  return matching.finish();
}

/** True for an id that stands for many sessions. */
export function isPattern(id: string): boolean {
  return id.includes('*');
}

class Matching {
  readonly #free: Set<Session>;
  readonly #byName = new Map<string, Session[]>();
  readonly #byInput = new Map<string, Session[]>();
  readonly #found = new Map<string, Session[]>();

  constructor(sessions: readonly Session[]) {
    this.#free = new Set(sessions);
    for (const session of sessions) {
      for (const name of new Set([session.id, ...session.names])) add(this.#byName, name, session);
      if (session.input !== undefined) add(this.#byInput, session.input.trim(), session);
    }
  }

  get hasFree(): boolean {
    return this.#free.size > 0;
  }

  takeNamed(input: number, id: string): void {
    if (!isPattern(id)) this.#take(input, id, this.#byName.get(id) ?? []);
  }

  takeAsked(input: number, { id, input: asked }: TestCase): void {
    if (typeof asked === 'string' && asked.trim() !== '')
      this.#take(input, id, this.#byInput.get(asked.trim()) ?? []);
  }

  takeRest(input: number, id: string): void {
    if (!isPattern(id)) return;
    const fits = ({ id: own, names }: Session): boolean =>
      [own, ...names].some((name) => matchesWildcard(id, name));
    this.#take(input, id, [...this.#free].filter(fits));
  }

  finish(): Matches {
    const ids = new Set<string>();
    const named = new Map<string, GradedSession[]>();
    for (const [key, sessions] of this.#found) {
      const id = key.slice(key.indexOf('\0') + 1);
      // Several sessions of one case are told apart by their own names.
      const nameOf = ({ id: own }: Session): string =>
        isPattern(id) ? own : sessions.length === 1 ? id : `${id}/${own}`;
      named.set(
        key,
        sessions.map((session) => ({ session, id: unique(nameOf(session), ids) })),
      );
    }
    const left = [...this.#free].map((session) => ({ session, id: unique(session.id, ids) }));
    return { of: (input, id) => named.get(keyOf(input, id)) ?? [], left };
  }

  #take(input: number, id: string, sessions: readonly Session[]): void {
    const own = sessions.filter((session) => this.#free.delete(session));
    if (own.length === 0) return;
    const key = keyOf(input, id);
    this.#found.set(key, [...(this.#found.get(key) ?? []), ...own]);
  }
}

function keyOf(input: number, id: string): string {
  return `${input}\0${id}`;
}

function add(map: Map<string, Session[]>, key: string, session: Session): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [session]);
  else known.push(session);
}

/** The same session may be in two files. */
function unique(id: string, taken: Set<string>): string {
  let name = id;
  for (let number = 2; taken.has(name); number += 1) name = `${id}#${number}`;
  taken.add(name);
  return name;
}
