/** A body that is handed out piece by piece, as it is asked for: how it ends is told only to who reads so far. */
export class BodyStream {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #pieces: Uint8Array[] = [];
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isWanted = false;
  #end: { error?: unknown } | undefined;

  /** `cancelled` is called if nobody wants the rest. */
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

  /** With an error, whoever reads on gets it after the last piece. */
  end(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#serve();
  }

  /** Ends it at once; what was not read is lost. */
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
