/** True for the URL of a PostgreSQL server; any other history is a file. */
export function isPostgres(address: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(address);
}
