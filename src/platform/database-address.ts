/** True for the address of a PostgreSQL server; every other history is a file. */
export function isPostgres(place: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(place);
}
