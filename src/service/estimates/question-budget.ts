import { createHash } from 'node:crypto'
import { countText } from '../../base/text/amount-text.ts'
import type { ServiceContext } from '../context/context.ts'
import { ProblemError } from '../http/problem-error.ts'
import type { CheckedConditions } from '../records/generation-records.ts'

/** Most questions that a process remembers to have been counted. */
const MOST_KNOWN = 10_000

const DAY_MS = 24 * 60 * 60_000

export interface Question {
  readonly datasetId: string
  readonly clientId: string
  /** All scenarios that it names. */
  readonly scenarios: readonly CheckedConditions[]
  /** The column whose levels are segments. */
  readonly by?: string | undefined
  /** The rows that are counted; absent: all. */
  readonly where?: CheckedConditions | undefined
}

/**
 * Counts the different questions of each client about each dataset on each day (UTC), in the database that all processes share. The
 * noise of figures hides a person from a few questions; many different ones about groups with and without that person average it out.
 *
 * A question is what groups of people it is about. A share that is moved asks about the same group and shows nothing new, so that it
 * is the same question. A question costs one statement at most, and none if this process has counted it.
 */
export class QuestionBudget {
  readonly #context: Pick<ServiceContext, 'db' | 'settings' | 'now'>
  /** By last use. */
  readonly #known = new Set<string>()

  constructor(context: Pick<ServiceContext, 'db' | 'settings' | 'now'>) {
    this.#context = context
  }

  /** @throws ProblemError `svc_rate_limited` if the client has used up its questions of today and this one is new. */
  async count(question: Question): Promise<void> {
    const { db, settings, now } = this.#context
    const { clientQuestions: most, disclosure } = settings
    if (most === null || disclosure === 'exact') return
    const { datasetId, clientId } = question
    const nowMs = now()
    const day = new Date(nowMs).toISOString().slice(0, 10)
    const digest = createHash('sha256').update(groupsOf(question)).digest()
    const key = [datasetId, clientId, day, digest.toString('base64url')].join(' ')
    if (this.#known.delete(key)) {
      this.#remember(key)
      return
    }
    const [row] = await db.query<{ is_known: boolean; is_added: boolean }>(
      `with added as (
         insert into asked_questions (dataset_id, client_id, day, question)
         select $1, $2, $3::date, $4::bytea
         where coalesce((select questions from question_counts
           where dataset_id = $1 and client_id = $2 and day = $3::date), 0) < $5
         on conflict do nothing
         returning 1
       ), counted as (
         insert into question_counts (dataset_id, client_id, day, questions)
         select $1, $2, $3::date, 1 from added
         on conflict (dataset_id, client_id, day) do update set questions = question_counts.questions + 1
       )
       select exists (select 1 from added) as is_added, exists (select 1 from asked_questions
         where dataset_id = $1 and client_id = $2 and day = $3::date and question = $4::bytea) as is_known`,
      [datasetId, clientId, day, digest, most],
    )
    if (row?.is_added !== true && row?.is_known !== true) throw usedUp(most, nowMs)
    this.#remember(key)
  }

  #remember(key: string): void {
    this.#known.add(key)
    if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.values().next().value as string)
  }
}

function usedUp(most: number, nowMs: number): ProblemError {
  const seconds = Math.max(1, Math.ceil((DAY_MS - (nowMs % DAY_MS)) / 1000))
  return new ProblemError(
    'svc_rate_limited',
    `This client has asked about ${countText(most)} different groups of people of this dataset today, as many as it may. What it has asked before is still answered, also with other shares. New groups are possible again from 00:00 UTC on.`,
    { headers: { 'retry-after': String(seconds) } },
  )
}

/** Which people a question is about, in one writing: all but the sizes of its shares. */
function groupsOf({ scenarios, by, where }: Question): string {
  const groups = [...scenarios, ...(where === undefined ? [] : [where])].map(({ shares, ranges }) => [
    shares
      .map(({ column, levels }) => [
        column,
        // Whether unlisted levels are left over, or left out.
        levels.reduce((sum, [, share]) => sum + share, 0) < 1 - 1e-9,
        levels.map(([level, share]) => [level, share > 0]).sort(byFirst),
      ])
      .sort(byFirst),
    ranges.map(({ column, min, max }) => [column, min, max]).sort(byFirst),
  ])
  return JSON.stringify([groups, by ?? null, ...(where === undefined ? [] : ['where'])])
}

function byFirst([a]: readonly unknown[], [b]: readonly unknown[]): number {
  return String(a) < String(b) ? -1 : 1
}
