/**
 * SQL that selects a timestamptz column in the contract's format: RFC 3339, UTC, milliseconds. Selected as text because
 * PostgreSQL clients read dates differently.
 */
export function utcText(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** Milliseconds since 1970 as a parameter for `$n::timestamptz`. */
export function timestampOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
