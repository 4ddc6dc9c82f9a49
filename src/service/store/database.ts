import { WhatifError } from '../../base/whatif-error.ts'

/**
 * The one way the service speaks SQL. Behind it stands PGlite (`pglite-database.ts`) or a PostgreSQL server
 * (`postgres-database.ts`), with the same statements: the PostgreSQL 15 subset, int8 arrives as number, dates are
 * selected as text. On a server any number of connections and processes are at work at once, each statement sees what
 * was committed before it (read committed): whatever is checked and then written is locked first, or written by a
 * statement that checks. Rows are locked dataset before tenant before job before generation, so that nobody waits in a circle.
 */
export interface Queryable {
  /** One statement with `$1`-style parameters. */
  query<Row = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]): Promise<readonly Row[]>
}

export interface Transaction extends Queryable {
  /** Several statements without parameters, as in a migration. */
  exec(sql: string): Promise<void>
}

/** @throws DatabaseUnavailableError from every member, when the database cannot be spoken to at the moment. */
export interface Database extends Queryable {
  /** Several statements without parameters, as in a migration. */
  exec(sql: string): Promise<void>
  /**
   * Runs `work` in one transaction; rolls back when it throws. Inside, speak to `tx` only: an embedded database has one
   * connection, and a statement sent past the transaction would wait for its end. When the connection breaks during the
   * commit it rejects, although the transaction may have been committed.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * Runs `work` while no other process that uses the database runs one under the same number. `work` speaks to the
   * database as usual; not to be called inside a transaction.
   */
  exclusively<T>(lockNumber: number, work: () => Promise<T>): Promise<T>
  /**
   * Calls `listener` with the payload of each `pg_notify(channel, payload)` that any process commits from now on, and
   * with null after a time in which some may have been missed. Resolves to how to stop listening.
   */
  listen(channel: string, listener: NotificationListener): Promise<() => Promise<void>>
  /**
   * The same database for work that only removes things, and for what a start cannot do without: an embedded one does it on a
   * disk so full that it refuses everything else.
   */
  readonly forRemoval: Database
  close(): Promise<void>
}

export type NotificationListener = (payload: string | null) => void

/**
 * The database cannot be spoken to at the moment: it is not reached, restarts, has no connection left, or gave up a
 * statement for reasons that are not the statement's. Worth trying again.
 */
export class DatabaseUnavailableError extends WhatifError {
  constructor(cause: unknown) {
    super('database_unavailable', `The database cannot be used at the moment: ${messageOf(cause)}`, { cause })
  }
}

/** A host with several addresses gives an error for each, and above them one that has a code alone. */
function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || String((cause as NodeJS.ErrnoException).code ?? cause.name)
}
