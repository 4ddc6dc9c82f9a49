import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Question, QuestionBudget } from '../../../src/service/estimates/question-budget.ts'
import type { CheckedConditions } from '../../../src/service/records/generation-records.ts'
import type { Settings } from '../../../src/service/settings/settings.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { openTestDatabase } from '../test-database.ts'
import { testSettings } from '../test-settings.ts'

const DAY = Date.UTC(2026, 4, 7)
const NOON = DAY + 12 * 60 * 60_000

let db: Database
let nowMs = NOON
beforeAll(async () => {
  db = await openTestDatabase()
  await db.query("insert into tenants (tenant_id, name, created_at) values ('ten_1', 'T', now())")
  for (const dataset of ['ds_1', 'ds_2']) {
    await db.query(
      `insert into datasets (dataset_id, tenant_id, job_id, status, auto_clean, request_id, created_at, expires_at,
         seed_bytes, seed_sha256, model_blob, schema)
       values ($1, 'ten_1', $1, 'ready', true, 'req', now(), now() + interval '1 day', 1, 'x', 'models/1', '[]')`,
      [dataset],
    )
  }
})
beforeEach(async () => {
  nowMs = NOON
  await db.exec('delete from asked_questions; delete from question_counts')
})
afterAll(async () => await db?.close())

/** Of one process of the service. */
const budget = (settings: Partial<Settings> = { clientQuestions: 2 }) =>
  new QuestionBudget({ db, now: () => nowMs, settings: testSettings({ dataDir: '.', ...settings }) })

const ages = (min: number, shares: CheckedConditions['shares'] = []): CheckedConditions => ({
  shares,
  ranges: [{ column: 'age', min, max: 80 }],
})
const about = (scenario: CheckedConditions, more: Partial<Question> = {}): Question => ({
  datasetId: 'ds_1',
  clientId: 'cli_1',
  scenarios: [scenario, { shares: [], ranges: [] }],
  ...more,
})
const USED_UP = { code: 'svc_rate_limited', headers: { 'retry-after': '43200' } }

describe('the questions of a client', () => {
  it('are refused beyond their number, with the time until there are new ones', async () => {
    const questions = budget()
    await questions.count(about(ages(30)))
    await questions.count(about(ages(31)))
    await expect(questions.count(about(ages(32)))).rejects.toMatchObject(USED_UP)
    await expect(questions.count(about(ages(32)))).rejects.toThrow(
      'This client has asked about 2 different groups of people of this dataset today, as many as it may.',
    )
    nowMs = DAY + 24 * 60 * 60_000
    await questions.count(about(ages(32)))
  })

  it('are counted once, also by other processes and with other shares of the same groups', async () => {
    const [one, other] = [budget({ clientQuestions: 1 }), budget({ clientQuestions: 1 })]
    const asked = (yes: number) => about(ages(30, [{ column: 'member', levels: [['yes', yes]] }]))
    await one.count(asked(0.3))
    await one.count(asked(0.3))
    await other.count(asked(0.3001))
    for (const process of [one, other]) await expect(process.count(asked(0))).rejects.toMatchObject(USED_UP)
    expect(await db.query('select questions from question_counts')).toEqual([{ questions: 1 }])
  })

  it('count for other groups: by the excluded levels, the baseline and the segments', async () => {
    const questions = budget({ clientQuestions: 4 })
    const of = (levels: readonly (readonly [string, number])[]) => about(ages(30, [{ column: 'member', levels }]))
    await questions.count(of([['yes', 0.5]]))
    await questions.count(of([['yes', 1]]))
    await questions.count(about(ages(30), { by: 'member' }))
    await questions.count(about(ages(30), { scenarios: [ages(30), ages(40)] }))
    expect(await db.query('select questions from question_counts')).toEqual([{ questions: 4 }])
  })

  it('are those of one client and dataset', async () => {
    const questions = budget({ clientQuestions: 1 })
    await questions.count(about(ages(30)))
    await questions.count(about(ages(31), { clientId: 'cli_2' }))
    await questions.count(about(ages(31), { datasetId: 'ds_2' }))
    await expect(questions.count(about(ages(31)))).rejects.toMatchObject(USED_UP)
  })

  it.each([
    ['the owner of the seed asks', { clientQuestions: 1, disclosure: 'exact' }],
    ['the setting is none', { clientQuestions: null }],
  ] as const)('are not counted where %s', async (_, settings) => {
    for (let min = 30; min < 33; min++) await budget(settings).count(about(ages(min)))
    expect(await db.query('select 1 as one from asked_questions')).toEqual([])
  })
})
