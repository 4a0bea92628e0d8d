/** A body that is read piece by piece; its error surfaces only after the last piece. */
export class BodyStream {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #pieces: Uint8Array[] = [];
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isWanted = false;
  #end: { error?: unknown } | undefined;

  /** `cancelled` is called when the reader cancels. */
  constructor(cancelled: () => void = () => undefined) {
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => {
          this.#isWanted = true;
          this.#serve();
        },
        cancel: cancelled,
      },
      { highWaterMark: 0 },
    );
  }

  add(piece: string | Uint8Array): void {
    this.#pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
    this.#serve();
  }

  /** Ends the body; readers get the error after the last piece. */
  end(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#serve();
  }

  /** Ends the body at once; unread pieces are lost. */
  break(reason: unknown): void {
    this.#pieces.length = 0;
    this.#end = { error: reason };
    this.#isWanted = true;
    this.#serve();
  }

  #serve(): void {
    if (!this.#isWanted) return;
    const piece = this.#pieces.shift();
    if (piece !== undefined) {
      this.#isWanted = false;
      this.#controller?.enqueue(piece);
    } else if (this.#end !== undefined) {
      this.#isWanted = false;
      if ('error' in this.#end) this.#controller?.error(this.#end.error);
      else this.#controller?.close();
    }
  }
}
