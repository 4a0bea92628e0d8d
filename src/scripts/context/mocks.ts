// Answers that a case, a `before` hook or a test gives in place of members of the context.

import { didYouMean } from '../../text/nearest.ts';

/** By the name of the member, such as `search.Web`: a function, a value, or a list with a value per call. */
export type Mocks = Record<string, unknown>;

const ASKED = ['All', 'Any', 'Race'];
const MCP = ['CallTool', 'CallTools', 'CallToolsParallel', 'GetPrompt', 'ListPrompts', 'ListResources'];
const GROUPS: Record<string, readonly string[]> = {
  agent: ['Call', ...ASKED],
  llm: ['Stream', ...ASKED],
  mcp: [...MCP, 'ListTools', 'ReadResource', ...ASKED],
  sandbox: ['Exec', 'ListDir', 'ReadFile', 'WriteFile'],
  search: ['DB', 'KB', 'Web', ...ASKED],
};

/** The members that can be mocked. */
const MOCKABLE: readonly string[] = Object.entries(GROUPS).flatMap(([group, members]) =>
  members.map((member) => `${group}.${member}`),
);

/** What is wrong with the name of a mock; `ctx.` in front of it is fine. */
export function mockProblem(name: string): string | undefined {
  const member = name.replace(/^ctx\./, '');
  if (MOCKABLE.includes(member)) return undefined;
  return `${JSON.stringify(name)} cannot be mocked; ${didYouMean(member, MOCKABLE) ?? `it is one of ${MOCKABLE.join(', ')}`}`;
}

/** Mocks as JSON, for another thread; functions cannot go there. */
export type SavedMocks = { values: Mocks; counts: Record<string, number>; functions: string[] };

/** The mocks of an attempt and how often each was called. */
export class MockSet {
  readonly #mocks = new Map<string, unknown>();
  readonly #counts = new Map<string, number>();

  /** Later mocks replace earlier ones. Throws a TypeError for an unknown name. */
  add(mocks: Mocks): void {
    for (const [name, value] of Object.entries(mocks)) {
      const problem = mockProblem(name);
      if (problem !== undefined) throw new TypeError(`mocks: ${problem}`);
      const member = name.replace(/^ctx\./, '');
      this.#mocks.set(member, value);
      this.#counts.delete(member);
    }
  }

  save(): SavedMocks {
    const all = [...this.#mocks];
    return {
      values: Object.fromEntries(all.filter(([, mock]) => typeof mock !== 'function')),
      counts: Object.fromEntries(this.#counts),
      functions: all.flatMap(([member, mock]) => (typeof mock === 'function' ? [member] : [])),
    };
  }

  /** The opposite of `save`. */
  load({ values, counts, functions }: SavedMocks): void {
    this.add(values);
    for (const member of functions) {
      this.#mocks.set(member, () => {
        throw new Error(
          `ctx.${member}: its mock is a function, which an agent that is called cannot use; give it values`,
        );
      });
    }
    this.recount(counts);
  }

  /** Continues to count where another thread stopped. */
  recount(counts: Record<string, number>): void {
    for (const [member, count] of Object.entries(counts)) this.#counts.set(member, count);
  }

  has(member: string): boolean {
    return this.#mocks.has(member);
  }

  hasGroup(group: string): boolean {
    return [...this.#mocks.keys()].some((member) => member.startsWith(`${group}.`));
  }

  answer(member: string, args: unknown[]): unknown {
    const mock = this.#mocks.get(member);
    // Its parameters are those of the member.
    if (typeof mock === 'function') return (mock as (...given: unknown[]) => unknown)(...args);
    if (!Array.isArray(mock)) return structuredClone(mock);
    const count = this.#counts.get(member) ?? 0;
    this.#counts.set(member, count + 1);
    if (count < mock.length) return structuredClone(mock[count] as unknown);
    throw new Error(
      `ctx.${member}: its mock has ${String(mock.length)} answers, and this is call ${String(count + 1)}`,
    );
  }
}
