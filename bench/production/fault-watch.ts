import { setTimeout as wait } from 'node:timers/promises'
import type { Team } from './team.ts'

const LOOK_MS = 25

export interface Recovery {
  /** From the end of the fault to the next job that ended, in seconds. */
  readonly nextSeconds: number
  /** From the end of the fault until all jobs that were under way during it had ended. */
  readonly heldSeconds: number
  readonly heldJobs: number
  /** Jobs that were begun more than once since the previous fault. */
  readonly begunAgain: number
}

/** Inspects the jobs in the database around a fault. */
export class FaultWatch {
  readonly #team: Team
  #held: readonly string[] = []
  #endedAt = ''
  #again = 0

  constructor(team: Team) {
    this.#team = team
  }

  /** Just before the fault: notes which jobs are under way. */
  async begin(): Promise<void> {
    const { rows } = await this.#team.db.query<{ job_id: string }>(
      `select job_id from queue_entries where holder is not null and available_at > now()`,
    )
    this.#held = rows.map((row) => row.job_id)
  }

  /** Just after the fault: notes the time. */
  async end(): Promise<void> {
    this.#endedAt = (await this.patiently<{ at: string }>('select clock_timestamp()::text as at')).at
  }

  /** Waits until work continues, and until the work in progress has ended. */
  async recovered(): Promise<Recovery> {
    const at = this.#endedAt
    const next = await this.#until(`finished_at > $1::timestamptz order by finished_at limit 1`, [at], 1)
    const held = await this.#until(
      `job_id = any($2::text[]) and finished_at is not null`,
      [at, this.#held],
      this.#held.length,
    )
    const { again } = await this.patiently<{ again: number }>(
      `select count(*)::integer as again from jobs where attempts > 1`,
    )
    const begunAgain = again - this.#again
    this.#again = again
    return { nextSeconds: next, heldSeconds: held, heldJobs: this.#held.length, begunAgain }
  }

  /** A statement, repeated when the connection broke: the bench's connections break as the service's do. */
  async patiently<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row> {
    for (;;) {
      try {
        return await this.#team.row<Row & Record<string, unknown>>(sql, values)
      } catch (error) {
        if (!/^(57P0.|08...|ECONN.*|ENOENT)$/.test(`${(error as { code?: string }).code ?? 'ECONN'}`)) throw error
        await wait(LOOK_MS)
      }
    }
  }

  /** Waits for so many jobs; how long after `at` (the first value) the last of them had ended, in seconds. */
  async #until(condition: string, values: readonly unknown[], count: number): Promise<number> {
    if (count === 0) return 0
    for (;;) {
      const sql = `select count(*)::integer as count, greatest(0, extract(epoch from max(finished_at) - $1::timestamptz))::double precision
        as seconds from (select finished_at from jobs where ${condition}) as ended`
      const row = await this.patiently<{ count: number; seconds: number }>(sql, values)
      if (row.count >= count) return row.seconds
      await wait(LOOK_MS)
    }
  }
}
