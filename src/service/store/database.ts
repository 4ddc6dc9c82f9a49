/**
 * The one way the service speaks SQL. PGlite (embedded) stands behind it here; a PostgreSQL server needs only another
 * implementation: the SQL is the PostgreSQL 15 subset, int8 arrives as number, dates are selected as text.
 */
export interface Queryable {
  /** One statement with `$1`-style parameters. */
  query<Row = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]): Promise<readonly Row[]>
}

export interface Transaction extends Queryable {
  /** Several statements without parameters, as in a migration. */
  exec(sql: string): Promise<void>
}

export interface Database extends Queryable {
  /** Several statements without parameters, as in a migration. */
  exec(sql: string): Promise<void>
  /**
   * Runs `work` in one transaction; rolls back when it throws. Inside, speak to `tx` only: an embedded database has one
   * connection, and a statement sent past the transaction would wait for its end.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  close(): Promise<void>
}
