/** Finds many words in one pass over a text (Aho–Corasick). State 0 is the start; every other state is the beginning of a word. */
export class Automaton {
  // The children of a state form a list, because most states have one child.
  readonly #code: number[] = [0];
  readonly #child: number[] = [0];
  readonly #sibling: number[] = [0];
  /** The longest other beginning of a word that ends a state's text. */
  readonly #fallback: number[] = [0];
  /** Characters of the beginning that a state stands for. */
  readonly depth: number[] = [0];
  /** Length of the longest word that ends in a state, or 0. */
  readonly longest: number[] = [0];
  /** The first states by character, for speed. */
  readonly #first = new Int32Array(128);

  constructor(words: Iterable<string>) {
    for (const word of words) this.#add(word);
    this.#link();
  }

  /** The state after one more character. */
  next(from: number, code: number): number {
    let state = from;
    while (state !== 0) {
      const child = this.#find(state, code);
      if (child !== 0) return child;
      state = this.#fallback[state] ?? 0;
    }
    return code < 128 ? (this.#first[code] ?? 0) : this.#find(0, code);
  }

  #find(state: number, code: number): number {
    let child = this.#child[state] ?? 0;
    while (child !== 0 && this.#code[child] !== code) child = this.#sibling[child] ?? 0;
    return child;
  }

  #add(word: string): void {
    let state = 0;
    for (let at = 0; at < word.length; at += 1) {
      const code = word.charCodeAt(at);
      state = this.#find(state, code) || this.#grow(state, code);
    }
    this.longest[state] = word.length;
  }

  #grow(parent: number, code: number): number {
    const state = this.depth.length;
    this.#code.push(code);
    this.#child.push(0);
    this.#sibling.push(this.#child[parent] ?? 0);
    this.#fallback.push(0);
    this.depth.push((this.depth[parent] ?? 0) + 1);
    this.longest.push(0);
    this.#child[parent] = state;
    if (parent === 0 && code < 128) this.#first[code] = state;
    return state;
  }

  /** Sets the fallbacks, shorter beginnings first. */
  #link(): void {
    const queue = [0];
    for (const state of queue) {
      for (let child = this.#child[state] ?? 0; child !== 0; child = this.#sibling[child] ?? 0) {
        const fallback = state === 0 ? 0 : this.next(this.#fallback[state] ?? 0, this.#code[child] ?? 0);
        this.#fallback[child] = fallback;
        this.longest[child] ||= this.longest[fallback] ?? 0;
        queue.push(child);
      }
    }
  }
}
