import { WhatifError } from '../../base/whatif-error.ts'

/**
 * The service's only access to SQL. Its implementation is PGlite (`pglite-database.ts`) or a PostgreSQL server
 * (`postgres-database.ts`). Both get the same statements: the PostgreSQL 15 subset, int8 arrives as number, dates are
 * selected as text. On a server any number of connections and processes work concurrently, and each statement sees what
 * was committed before it (read committed). Data that are checked and then written are therefore locked first, or
 * written by a statement that checks. Rows are locked in the sequence dataset, tenant, job, generation, so that no
 * deadlock occurs.
 */
export interface Queryable {
  /** One statement with `$1`-style parameters. */
  query<Row = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]): Promise<readonly Row[]>
}

export interface Transaction extends Queryable {
  /** Several statements without parameters, as in a migration. */
  exec(sql: string): Promise<void>
}

/** @throws DatabaseUnavailableError from every member, if the database is unavailable at the moment. */
export interface Database extends Queryable {
  /** Several statements without parameters, as in a migration. */
  exec(sql: string): Promise<void>
  /**
   * Runs `work` in one transaction; rolls back if it throws. Use only `tx` inside: an embedded database has one
   * connection, and a statement outside the transaction would wait for its end. If the connection breaks during the
   * commit it rejects, although the transaction may have been committed.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * Runs `work` while no other process that uses the database runs work under the same number. `work` uses the database
   * as usual. Do not call this inside a transaction.
   */
  exclusively<T>(lockNumber: number, work: () => Promise<T>): Promise<T>
  /**
   * Calls `listener` with the payload of each `pg_notify(channel, payload)` that any process commits from now on, and
   * with null if notifications may have been missed. Resolves to a function that stops listening.
   */
  listen(channel: string, listener: NotificationListener): Promise<() => Promise<void>>
  /**
   * The same database for work that only removes things, and for what a start needs. An embedded database accepts such
   * work on a disk so full that it refuses everything else.
   */
  readonly forRemoval: Database
  close(): Promise<void>
}

export type NotificationListener = (payload: string | null) => void

/**
 * The database is unavailable at the moment: it cannot be reached, restarts, has no free connection, or aborted a
 * statement for reasons that are not the statement's. Worth trying again.
 */
export class DatabaseUnavailableError extends WhatifError {
  constructor(cause: unknown) {
    super('database_unavailable', `The database cannot be used at the moment: ${messageOf(cause)}`, { cause })
  }
}

/** A host with several addresses causes an error for each, inside one that has only a code. */
function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || String((cause as NodeJS.ErrnoException).code ?? cause.name)
}
