// Server-sent events: bytes come in, the data of each event comes out.

/** One event of a stream. */
export type ServerEvent = { event: string; data: string };

/** Splits text that arrives in pieces into events. */
export class EventParser {
  #rest = '';
  #data: string[] = [];
  #event = '';

  /** Takes the next piece; returns the events it completes. */
  push(piece: string): ServerEvent[] {
    const events: ServerEvent[] = [];
    const text = this.#rest + piece;
    // A CR at the very end waits, because an LF may follow.
    const lineEnd = /\r\n|\n|\r(?=[^])/g;
    // What is left from before holds no line end, except for such a CR.
    lineEnd.lastIndex = Math.max(0, this.#rest.length - 1);
    let start = 0;
    for (let end = lineEnd.exec(text); end !== null; end = lineEnd.exec(text)) {
      this.#line(text.slice(start, end.index), events);
      start = lineEnd.lastIndex;
    }
    this.#rest = text.slice(start);
    return events;
  }

  /** Ends the stream; servers that forget the last blank line are forgiven. */
  end(): ServerEvent[] {
    const events: ServerEvent[] = [];
    if (this.#rest !== '') this.#line(this.#rest.replace(/\r$/, ''), events);
    this.#rest = '';
    this.#line('', events);
    return events;
  }

  #line(line: string, events: ServerEvent[]): void {
    if (line === '') {
      if (this.#data.length > 0) events.push({ event: this.#event, data: this.#data.join('\n') });
      this.#data = [];
      this.#event = '';
      return;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#event = value;
  }
}
