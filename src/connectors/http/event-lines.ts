// Server-sent events whose data is all that matters: pieces of text come in, the data of each event goes out.

/** Takes the data of an event, and whether its name is `error`. */
type EmitEvent = (data: string, isError: boolean) => void;

const BYTE_ORDER_MARK = 0xfeff;

/** Splits text that arrives in pieces. Meant for hot paths: no event costs more than its own text. */
export class EventLines {
  readonly #emit: EmitEvent;
  /** The beginning of a line whose end has not come yet. */
  #rest = '';
  #data: string | undefined;
  #isError = false;
  #isAtStart = true;
  #endsInReturn = false;

  constructor(emit: EmitEvent) {
    this.#emit = emit;
  }

  /** How much is waiting for the end of its line. */
  get waiting(): number {
    return this.#rest.length;
  }

  push(piece: string): void {
    let start = this.#endsInReturn && piece.startsWith('\n') ? 1 : 0;
    if (this.#isAtStart && piece !== '') {
      this.#isAtStart = false;
      if (piece.charCodeAt(0) === BYTE_ORDER_MARK) start = 1;
    }
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
      const isError = this.#isError;
      this.#data = undefined;
      this.#isError = false;
      if (data !== undefined && data !== '') this.#emit(data, isError);
      return;
    }
    if (!line.startsWith('data:')) {
      if (line === 'event: error' || line === 'event:error') this.#isError = true;
      return;
    }
    const value = line.slice(line.startsWith(' ', 5) ? 6 : 5);
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
  }
}
