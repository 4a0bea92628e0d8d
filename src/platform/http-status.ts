/** True for statuses after which a retry can help: timeouts, conflicts, rate limits and errors of the server. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500;
}
