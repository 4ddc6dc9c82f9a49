/**
 * One large generation: as a whole by one worker, in parts by one and by two, and with a worker killed on the way. Every artifact has
 * the same digest, and the memory of a worker is that of a part: one that makes as many parts of small generations has the same peak.
 * The processes and their storage share this machine's processors.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { makeClient, mint, request } from '../../test/service/served-client.ts'
import { megabytes, seconds } from '../report-text.js'
import type { Member } from './member.ts'
import { cpuOfGroup, memoryOfGroup } from './processes.ts'
import type { Report } from './report.ts'
import { surveyTable } from './survey-table.ts'
import { Team } from './team.ts'

const SEED_ROWS = 10_000
const LOOK_MS = 100
const FORMAT = 'parquet'
/** Made parts before a worker is killed. */
const KILLED_AFTER = 3
/**
 * Rows of a small table in parts, beside the large one. So many of them have its rows: a worker's memory rises over its first parts,
 * whoever they belong to, until its collector has found a size.
 */
const SMALL_SHARE = 8
/** Peaks of like work differ by a fifth. */
const MEMORY_LIMIT = 1.2

interface Way {
  readonly name: string
  readonly rows: number
  readonly workers: readonly Member[]
  /** So many generations, one after the other; absent: one. */
  readonly times?: number
  readonly isWhole?: boolean
  readonly isKilled?: boolean
}

interface Outcome {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly peakBytes: number
  readonly parts: number
  /** Seconds until the parts are in the queue, and from the last part to the artifact. */
  readonly planSeconds: number
  readonly joinSeconds: number
  readonly beganAgain: number
  readonly sha256: string
  readonly bytes: number
}

export async function large(report: Report, { rows }: { readonly rows: number }): Promise<void> {
  const team = await Team.start({ env: { WHATIF_SERVE_TENANT_BYTES: 'none', WHATIF_SERVE_ARTIFACT_BYTES: 'none' } })
  try {
    for (const worker of team.workers.slice(1)) await worker.stop()
    const bench = await Bench.open(team)
    report.say(
      `${rows} rows x 10 columns under two shares, as Parquet, from a seed of ${SEED_ROWS} rows. Each worker has one thread. Two api processes, PostgreSQL and an S3-compatible storage run beside them.`,
    )
    const [first, second] = team.workers
    const small = Math.max(2_100_000, Math.floor(rows / SMALL_SHARE))
    const smallName = `in parts, one worker, ${small} rows`
    const ways: readonly Way[] = [
      { name: 'as a whole, one worker', rows, workers: [first], isWhole: true },
      { name: 'in parts, one worker', rows, workers: [first] },
      { name: smallName, rows: small, workers: [first] },
      { name: `${smallName}, ${SMALL_SHARE} times`, rows: small, workers: [first], times: SMALL_SHARE },
      { name: 'in parts, two workers', rows, workers: [first, second] },
      { name: 'in parts, two workers, one killed', rows, workers: [first, second], isKilled: true },
    ]
    const outcomes = new Map<Way, Outcome>()
    for (const way of ways) outcomes.set(way, await bench.make(way))
    const all = [...outcomes]
    report.table(
      ['', 'seconds', 'plan', 'join', 'processor s of workers', 'peak of a worker', 'parts', 'begun again'],
      all.map(([{ name }, made]) => [
        name,
        seconds(made.seconds),
        ...(made.parts === 0 ? ['', ''] : [seconds(made.planSeconds), seconds(made.joinSeconds)]),
        made.cpuSeconds.toFixed(1),
        megabytes(made.peakBytes),
        String(made.parts),
        String(made.beganAgain),
      ]),
    )
    const digests = new Set(all.filter(([way]) => way.rows === rows).map(([, { sha256 }]) => sha256))
    report.holds('the same bytes in every way', digests.size === 1, `${digests.size} digest`)
    report.say(`The artifact has ${megabytes(all[0]?.[1].bytes ?? 0)}.`)
    const peakOf = (at: number) => all[at]?.[1].peakBytes ?? 0
    const ratio = (x: number): string => x.toFixed(2)
    const ofParts = report.atMost('peak over that of as many small parts', peakOf(1) / peakOf(3), MEMORY_LIMIT, ratio)
    const ofFew = report.atMost('peak over that of fewer rows', peakOf(1) / peakOf(2), MEMORY_LIMIT, ratio)
    report.say(
      `Peak of one worker in parts over that of ${SMALL_SHARE} tables of ${small} rows: ${ofParts}; of one such table: ${ofFew}.`,
    )
    const lost = all.at(-1)?.[1].beganAgain ?? 0
    report.holds('parts that a killed worker costs', lost <= 1, String(lost))
    const { billed } = await team.row<{ billed: number }>(
      'select count(*)::integer as billed from ledger group by tenant_id',
    )
    const ordered = ways.reduce((sum, { times = 1 }) => sum + times, 0)
    report.holds('each billed once', billed === ordered, `${billed} entries for ${ordered} generations`)
  } finally {
    await team.close()
  }
}

class Bench {
  readonly #team: Team
  readonly #bearer: string
  readonly #datasetId: string

  static async open(team: Team): Promise<Bench> {
    const bearer = (await mint(team.publicUrl, await makeClient(team.publicUrl, 'large@example.org'))) as string
    await team.db.query('update tenants set request_row_cap = 1000000000')
    const body = new FormData()
    body.set('wait_seconds', '60')
    body.set('seed_file', new Blob([surveyTable(SEED_ROWS, 1)]), 'survey.csv')
    const { dataset_id: id } = (await request(team.publicUrl, 'POST', '/v1/datasets', { bearer, body })).body
    await team.workers[0].stop()
    return new Bench(team, bearer, id)
  }

  private constructor(team: Team, bearer: string, datasetId: string) {
    this.#team = team
    this.#bearer = bearer
    this.#datasetId = datasetId
  }

  /** With workers that have just started, so that their peaks are those of this generation. */
  async make(way: Way): Promise<Outcome> {
    const env: Record<string, string> = way.isWhole === true ? { WHATIF_SERVE_SPLIT_ROWS: '1000000000000' } : {}
    for (const worker of way.workers) await worker.start(env)
    const begun = performance.now()
    const body = {
      row_count: way.rows,
      seed: 1,
      output_format: FORMAT,
      conditions: { categorical: { region: { North: 0.3 }, member: { yes: 0.6 } } },
    }
    const path = `/v1/datasets/${this.#datasetId}/generations`
    const order = async (): Promise<{ readonly generation_id: string; readonly job_id: string }> =>
      (await request(this.#team.publicUrl, 'POST', path, { bearer: this.#bearer, body })).body
    const jobIds: string[] = []
    for (let time = 1; time < (way.times ?? 1); time++) {
      const { generation_id: id, job_id: jobId } = await order()
      jobIds.push(jobId)
      await this.#ended(id)
    }
    const { generation_id: id, job_id: jobId } = await order()
    jobIds.push(jobId)
    let lostCpu = 0
    if (way.isKilled === true) {
      const victim = way.workers[1] as Member
      while ((await this.#made(id)) < KILLED_AFTER || victim.jobsAtHand().length === 0) await wait(LOOK_MS)
      lostCpu = cpuOfGroup(victim.pid)
      await victim.kill()
      await victim.start(env)
    }
    const record = await this.#ended(id)
    const elapsed = (performance.now() - begun) / 1000
    const peaks = way.workers.map(({ pid }) => memoryOfGroup(pid).leaderPeak)
    const cpu = way.workers.reduce((sum, { pid }) => sum + cpuOfGroup(pid), lostCpu)
    const { parts, again, planned, joined } = await this.#team.row<
      Record<'parts' | 'again' | 'planned' | 'joined', number>
    >(
      `select sum(parts)::integer as parts, sum(again)::integer as again, sum(planned) as planned, sum(joined) as joined
       from (select count(part.*) as parts, coalesce(sum(part.attempts - 1), 0) as again,
           coalesce(extract(epoch from min(part.created_at) - whole.created_at), 0)::float8 as planned,
           coalesce(extract(epoch from whole.finished_at - max(part.finished_at)), 0)::float8 as joined
         from jobs whole left join jobs part on part.part_of = whole.job_id
         where whole.job_id = any($1::text[]) group by whole.job_id) as made`,
      [jobIds],
    )
    for (const worker of way.workers) await worker.stop()
    return {
      seconds: elapsed,
      cpuSeconds: cpu,
      peakBytes: Math.max(...peaks),
      parts,
      planSeconds: planned,
      joinSeconds: joined,
      beganAgain: again,
      ...record,
    }
  }

  async #made(generationId: string): Promise<number> {
    const sql = 'select count(blob_key)::integer as made from generation_parts where generation_id = $1'
    return (await this.#team.row<{ made: number }>(sql, [generationId])).made
  }

  async #ended(id: string): Promise<{ readonly sha256: string; readonly bytes: number }> {
    for (;;) {
      const row = await this.#team.row<{ status: string; error_detail: string; sha256: string; bytes: string }>(
        `select status, error_detail, artifact_sha256 as sha256, artifact_bytes as bytes from generations where generation_id = $1`,
        [id],
      )
      if (row.status === 'ready') return { sha256: row.sha256, bytes: Number(row.bytes) }
      if (row.status !== 'processing') throw new Error(`It is ${row.status}: ${row.error_detail}`)
      await wait(LOOK_MS)
    }
  }
}
