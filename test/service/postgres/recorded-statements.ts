import type { Database, Queryable } from '../../../src/service/store/database.ts'

/** A statement that was sent, and its plan. */
export interface PlannedStatement {
  readonly sql: string
  readonly plan: string
  /** Rows that it read and did not want, in one place; 0 for what changes something: that is not carried out again. */
  readonly unwantedRows: number
}

/**
 * Carries out `act` and returns every statement that it sent, with the plan of the values that it came with first; what it
 * changed stays.
 */
export async function plansOf(
  db: Database,
  act: (on: Database) => Promise<unknown>,
): Promise<readonly PlannedStatement[]> {
  const sent = new Map<string, readonly unknown[]>()
  await act(recording(db, (sql, parameters) => sent.has(sql) || sent.set(sql, parameters)))
  const planned: PlannedStatement[] = []
  for (const [sql, parameters] of sent) {
    const how = /^\s*select\b/.test(sql) ? '(analyze, timing off)' : ''
    const lines = await db.query<{ 'QUERY PLAN': string }>(`explain ${how} ${sql}`, parameters)
    const plan = lines.map((row) => row['QUERY PLAN']).join('\n')
    const removed = [...plan.matchAll(/Rows Removed by \w+: (\d+)/g)].map(([, rows]) => Number(rows))
    planned.push({ sql, plan, unwantedRows: Math.max(0, ...removed) })
  }
  return planned
}

/** Records the statements that pass. */
function recording<Inner extends Queryable>(
  inner: Inner,
  note: (sql: string, parameters: readonly unknown[]) => void,
): Inner {
  return new Proxy(inner, {
    get(target, name) {
      if (name === 'query') {
        return async (sql: string, parameters: readonly unknown[] = []) => {
          note(sql, parameters)
          return await target.query(sql, parameters)
        }
      }
      if (name === 'transaction') {
        return async (work: (tx: Queryable) => Promise<unknown>) =>
          await (target as unknown as Database).transaction(async (tx) => await work(recording(tx, note)))
      }
      if (name === 'forRemoval') return recording(target, note)
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
