// What could not be carried over, with its place and a way to go on.

/** `missing`: not in what was written. `changed`: written, but it means something else. `note`: good to know; nothing is lost. */
export type LossKind = 'missing' | 'changed' | 'note';

export type Loss = {
  kind: LossKind;
  /** `file:line`. */
  at: string;
  /** The part of the configuration, such as `assert: moderation`. */
  what: string;
  why: string;
  /** The nearest way to the same thing. */
  instead?: string;
};

/** Collects losses; the same one at the same place counts once. */
export class Losses {
  readonly #found = new Map<string, Loss>();

  missing(at: string, what: string, why: string, instead?: string): void {
    this.#add({ kind: 'missing', at, what, why, instead });
  }

  changed(at: string, what: string, why: string, instead?: string): void {
    this.#add({ kind: 'changed', at, what, why, instead });
  }

  note(at: string, what: string, why: string, instead?: string): void {
    this.#add({ kind: 'note', at, what, why, instead });
  }

  #add({ instead, ...loss }: Loss): void {
    const key = JSON.stringify(loss);
    if (!this.#found.has(key)) this.#found.set(key, { ...loss, ...(instead !== undefined && { instead }) });
  }

  /** In the order of the configuration. */
  list(): Loss[] {
    const order = (at: string): [string, number] => {
      const [, file = at, line = '0'] = /^(.*):(\d+)$/.exec(at) ?? [];
      return [file, Number(line)];
    };
    const files = [...new Set([...this.#found.values()].map(({ at }) => order(at)[0]))];
    return [...this.#found.values()].sort((a, b) => {
      const [[fileA, lineA], [fileB, lineB]] = [order(a.at), order(b.at)];
      return files.indexOf(fileA) - files.indexOf(fileB) || lineA - lineB;
    });
  }
}
