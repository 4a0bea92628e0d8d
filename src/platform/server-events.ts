// Server-sent events: pieces of text come in, the data and the name of each event go out.

/** Takes the data of an event and its name, which is empty for most events. */
type EmitEvent = (data: string, event: string) => void;

const BYTE_ORDER_MARK = 0xfeff;

/** Parses text that arrives in pieces. Made for hot paths: each character is copied once. */
export class ServerEvents {
  readonly #emit: EmitEvent;
  /** The beginning of a line whose end has not arrived yet. */
  #rest = '';
  #data: string | undefined;
  #event = '';
  #isAtStart = true;
  #endsInReturn = false;

  constructor(emit: EmitEvent) {
    this.#emit = emit;
  }

  /** Length of the text that waits for the end of its line. */
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
    // Lines hardly ever end in CR, so the usual piece is not copied.
    const text = piece.includes('\r') ? piece.replaceAll(/\r\n?/g, '\n') : piece;
    for (let end = text.indexOf('\n', start); end !== -1; end = text.indexOf('\n', start)) {
      const line = text.slice(start, end);
      this.#line(this.#rest === '' ? line : this.#rest + line);
      this.#rest = '';
      start = end + 1;
    }
    if (start < text.length) this.#rest += text.slice(start);
  }

  /** Ends the stream. The blank line after the last event may be missing. */
  end(): void {
    if (this.#rest !== '') this.#line(this.#rest);
    this.#rest = '';
    this.#line('');
  }

  #line(line: string): void {
    if (line === '') {
      const data = this.#data;
      const event = this.#event;
      this.#data = undefined;
      this.#event = '';
      if (data !== undefined) this.#emit(data, event);
    } else if (line.startsWith('data:') || line === 'data') {
      const value = fieldValue(line, 'data:'.length);
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    } else if (line.startsWith('event:')) {
      this.#event = fieldValue(line, 'event:'.length);
    }
  }
}

/** The text behind the colon and at most one space. */
function fieldValue(line: string, start: number): string {
  return line.slice(line.startsWith(' ', start) ? start + 1 : start);
}
