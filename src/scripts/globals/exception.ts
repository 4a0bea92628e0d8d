// The error that scripts throw with a status: `throw new Exception("not allowed", 403)`.

/** An error with a status code. */
export class Exception extends Error {
  override readonly name = 'Exception';
  readonly code: number;

  constructor(message: string, code = 500) {
    super(message);
    this.code = code;
  }
}
