/** One problem of a request; `name` is the variable it concerns. */
export type ApiProblem = { name?: string; message: string; at?: string; hint?: string };

/** A rejected request, with its HTTP status. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly hint: string | undefined;
  readonly problems: readonly ApiProblem[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    message: string,
    options: { hint?: string; problems?: readonly ApiProblem[]; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.hint = options.hint;
    this.problems = options.problems;
    this.headers = options.headers ?? {};
  }
}
