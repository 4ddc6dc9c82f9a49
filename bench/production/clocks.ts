import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { makeClient, mint, request } from '../../test/service/served-client.ts'
import { countLiving, fillWithTime, type Living, sameLiving } from './clock-records.ts'
import type { Member } from './member.ts'
import type { Report } from './report.ts'
import { Team } from './team.ts'
import { surveyOf } from './tenant.ts'

const HOUR_MS = 60 * 60_000
const SHIFTS: readonly (readonly [name: string, ms: number, words: string])[] = [
  ['90 min ahead', 1.5 * HOUR_MS, '1 h 30 min ahead of'],
  ['25 h ahead', 25 * HOUR_MS, '25 h ahead of'],
  ['1 h behind', -HOUR_MS, '1 h behind'],
]
const ROLES = ['worker', 'all', 'api'] as const
const SHIFTED = pathToFileURL(join(import.meta.dirname, '../../test/service/shifted-clock.js')).href
/** A process sweeps for the first time 5 s after its start, and looks for blobs to remove as often. */
const FIRST_SWEEP_MS = 7_000
/** Clocks are compared every minute. */
const NOTICED_MS = 75_000
const WAITING = 12

/** One wrong clock after the other, in each role, among processes whose clocks are right. */
export async function clocks(report: Report): Promise<void> {
  const team = await Team.start()
  try {
    const client = await makeClient(team.publicUrl, 'clocks@example.test')
    const bearer = (await mint(team.publicUrl, client)) as string
    await fillWithTime(team)
    const upload = async (url: string): Promise<string> => {
      const form = new FormData()
      form.append('seed_file', new Blob([surveyOf(200, 1)]))
      const { body } = await request(url, 'POST', '/v1/datasets', { bearer, body: form })
      return body.job_id
    }
    const generationId = await generate(team, await upload(team.publicUrl), bearer)
    /** The storage's status for an artifact whose address a process has signed. */
    const fetched = async (url: string): Promise<string> => {
      const { body } = await request(url, 'GET', `/v1/generations/${generationId}`, { bearer })
      return String((await fetch(body.artifact_url)).status)
    }
    const rows: string[][] = []
    for (const [name, ms, words] of SHIFTS) {
      for (const worker of team.workers) await worker.stop()
      const jobs: string[] = []
      for (let i = 0; i < WAITING; i++) jobs.push(await upload(team.publicUrl))
      for (const role of ROLES) {
        const before = await countLiving(team)
        const wrong = await team.another(`wrong ${role} ${name}`, role)
        await wrong.start({ NODE_OPTIONS: `--import=${SHIFTED}`, WHATIF_TEST_CLOCK_MS: String(ms) })
        await wait(FIRST_SWEEP_MS)
        rows.push([`${name}, ${role}`, ...(await measure(team, wrong, { before, words }))])
        if (role !== 'worker') {
          // It still answers, by the database's time, and its signatures are valid.
          jobs.push(await upload(wrong.url))
          rows.at(-1)?.push(await fetched(wrong.url))
        }
        await wrong.end()
      }
      for (const worker of team.workers) await worker.start()
      await untilEnded(team, jobs)
      await wait(FIRST_SWEEP_MS)
    }
    report.table(['started with a clock', 'reported', 'removed', 'expired', 'jobs taken', 'artifact'], rows)

    const jumped = await jumpWhileAtWork(team, async () => await untilEnded(team, [await upload(team.publicUrl)]))
    report.table(['jumped during work', 'reported', 'removed', 'expired', 'jobs taken after'], jumped)
    const faulty = [...rows, ...jumped].filter(
      ([, said, removed, expired, taken, artifact = '200']) =>
        said !== 'yes' || artifact !== '200' || [removed, expired, taken].some((count) => count !== '0'),
    )
    report.holds('clocks that did harm or were not reported', faulty.length === 0, String(faulty.length))
    report.say(
      'Reported: in /readyz and in the log. Beside datasets that expire over the next day, jobs whose deadlines come within 90 minutes, blobs that are due within the hour, and jobs that waited and were done by right workers afterwards.',
    )
  } finally {
    await team.close()
  }
}

/** Each shift in another role, all at once, during work: the reports and actions until it was noticed. */
async function jumpWhileAtWork(team: Team, work: () => Promise<void>): Promise<string[][]> {
  const members = await Promise.all(
    SHIFTS.map(async ([name, ms, words], i) => {
      const role = ROLES[i] as (typeof ROLES)[number]
      const member = await team.another(`jumping ${role}`, role)
      await member.start({ NODE_OPTIONS: `--import=${SHIFTED}`, WHATIF_TEST_JUMP_MS: String(ms) })
      return { name: `${name}, ${role}`, member, words }
    }),
  )
  await work()
  const before = await countLiving(team)
  for (const { member } of members) member.signal('SIGUSR2')
  const deadline = performance.now() + NOTICED_MS
  const isNoticed = (): boolean => members.every(({ member }) => warningOf(member) !== undefined)
  while (!isNoticed() && performance.now() < deadline) await wait(1_000)
  await work()
  const rows: string[][] = []
  for (const { name, member, words } of members) {
    rows.push([name, ...(await measure(team, member, { before, words }))])
    await member.end()
  }
  return rows
}

const warningOf = (member: Member) => member.log().find(({ msg }) => msg === 'clock.wrong')

/** Whether it was reported, and how much is gone, has expired, and was begun since. */
async function measure(
  team: Team,
  wrong: Member,
  { before, words }: { before: Living; words: string },
): Promise<string[]> {
  const { status, body } = await request(wrong.url, 'GET', '/readyz')
  const line = warningOf(wrong)
  const isSaid = status === 200 && String(body.clock).includes(words) && String(line?.message).includes(words)
  const { removed, expired } = sameLiving(before, await countLiving(team))
  const taken = wrong.log().filter(({ msg, time }) => msg === 'job.begun' && Number(time) > Number(line?.time ?? 0))
  return [isSaid ? 'yes' : `NO (${status})`, String(removed), String(expired), String(taken.length)]
}

/** A generation of the dataset of a job, when both are done. */
async function generate(team: Team, jobId: string, bearer: string): Promise<string> {
  await untilEnded(team, [jobId])
  const { dataset_id: datasetId } = await team.row<{ dataset_id: string }>(
    'select dataset_id from jobs where job_id = $1',
    [jobId],
  )
  const { body } = await request(team.publicUrl, 'POST', `/v1/datasets/${datasetId}/generations`, {
    bearer,
    body: { row_count: 10, output_format: 'csv', wait_seconds: 60 },
  })
  return body.generation_id
}

async function untilEnded(team: Team, jobs: readonly string[]): Promise<void> {
  for (;;) {
    const { rows } = await team.db.query<{ status: string }>('select status from jobs where job_id = any($1::text[])', [
      jobs,
    ])
    const wrong = rows.find(({ status }) => !['queued', 'running', 'completed'].includes(status))
    if (wrong !== undefined || rows.length < jobs.length) throw new Error(`a job that waited ended as ${wrong?.status}`)
    if (rows.every(({ status }) => status === 'completed')) return
    await wait(100)
  }
}
