// Server-sent events whose data is all that matters: pieces of text come in, the data of each event goes out.

/** Splits text that arrives in pieces. Meant for hot paths: no event costs more than its own text. */
export class EventLines {
  readonly #emit: (data: string) => void;
  /** The beginning of a line whose end has not come yet. */
  #rest = '';
  #data: string | undefined;
  #endsInReturn = false;

  constructor(emit: (data: string) => void) {
    this.#emit = emit;
  }

  /** How much is waiting for the end of its line. */
  get waiting(): number {
    return this.#rest.length;
  }

  push(piece: string): void {
    let start = this.#endsInReturn && piece.startsWith('\n') ? 1 : 0;
    if (piece !== '') this.#endsInReturn = piece.endsWith('\r');
    // Almost nobody ends lines in CR; the usual piece is searched once, natively.
    const text = piece.includes('\r') ? piece.replaceAll(/\r\n?/g, '\n') : piece;
    for (let end = text.indexOf('\n', start); end !== -1; end = text.indexOf('\n', start)) {
      const line = text.slice(start, end);
      this.#line(this.#rest === '' ? line : this.#rest + line);
      this.#rest = '';
      start = end + 1;
    }
    if (start < text.length) this.#rest += text.slice(start);
  }

  /** Ends the stream; servers that forget the last blank line are forgiven. */
  end(): void {
    if (this.#rest !== '') this.#line(this.#rest);
    this.#rest = '';
    this.#line('');
  }

  #line(line: string): void {
    if (line === '') {
      const data = this.#data;
      this.#data = undefined;
      if (data !== undefined) this.#emit(data);
      return;
    }
    if (!line.startsWith('data:')) return;
    const value = line.slice(line.startsWith(' ', 5) ? 6 : 5);
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
  }
}
