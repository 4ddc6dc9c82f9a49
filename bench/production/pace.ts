/** The pace of small generations on api and worker over PostgreSQL: 100 rows with a condition, in both common formats. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgres, PostgresCluster } from '../../test/service/postgres-cluster.ts'
import { makeClient, mint, request } from '../../test/service/served-client.ts'
import { type ServedProcess, serve } from '../../test/service/served-process.ts'
import type { Report } from './report.ts'
import { surveyTable } from './survey-table.ts'

const SEED_ROWS = 500
const ROWS = 100
const FORMATS = ['csv', 'parquet'] as const
const GENERATIONS = 200
/** Generations at once, and how many are measured one after the other for the time of a lone one. */
const AT_ONCE = 4
const LONE = 60

const LEAST_PER_SECOND = 40
const LONE_LIMIT_MS = 150

export async function pace(report: Report): Promise<void> {
  const postgres = findPostgres()
  if ('missing' in postgres) return report.say(`Skipped: ${postgres.missing}.`)
  const folder = await mkdtemp(join(tmpdir(), 'whatif-pace-'))
  const cluster = await PostgresCluster.start(postgres.binaries)
  const services: ServedProcess[] = []
  try {
    for (const role of ['api', 'worker']) {
      const env = { DATABASE_URL: cluster.url(), WHATIF_SERVE_ROLE: role, WHATIF_SERVE_RATE_LIMITS: 'off' }
      services.push(await serve(join(folder, 'data'), { threads: null, env }))
    }
    report.say(`${ROWS} rows of a seed of ${SEED_ROWS} rows x 10 columns, under one condition.`)
    report.table(
      ['', `per second, ${AT_ONCE} at once`, 'a lone one, p50', 'p99'],
      await measure(report, services[0] as ServedProcess),
    )
  } finally {
    for (const service of services) await service.kill()
    await cluster.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(report: Report, { baseUrl }: ServedProcess): Promise<string[][]> {
  const bearer = (await mint(baseUrl, await makeClient(baseUrl, 'pace@example.org'))) as string
  const body = new FormData()
  body.set('wait_seconds', '60')
  body.set('seed_file', new Blob([surveyTable(SEED_ROWS, 1)]), 'survey.csv')
  const { dataset_id: datasetId } = (await request(baseUrl, 'POST', '/v1/datasets', { bearer, body })).body
  const conditions = { categorical: { region: { North: 0.5 } } }
  const generate = async (format: string): Promise<number> => {
    const begun = performance.now()
    const order = { row_count: ROWS, wait_seconds: 60, output_format: format, conditions }
    const reply = await request(baseUrl, 'POST', `/v1/datasets/${datasetId}/generations`, { bearer, body: order })
    if (reply.body.status !== 'ready') throw new Error(`It is not ready: ${JSON.stringify(reply.body)}`)
    return performance.now() - begun
  }
  const rows: string[][] = []
  for (const format of FORMATS) {
    for (let i = 0; i < AT_ONCE; i++) await generate(format)
    const lone: number[] = []
    while (lone.length < LONE) lone.push(await generate(format))
    lone.sort((a, b) => a - b)
    let left = GENERATIONS
    const begun = performance.now()
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (left-- > 0) await generate(format)
      }),
    )
    const perSecond = GENERATIONS / ((performance.now() - begun) / 1000)
    const p99 = lone[Math.floor(LONE * 0.99)] as number
    rows.push([
      format,
      report.atLeast(`${format}, generations per second`, perSecond, LEAST_PER_SECOND, (value) => value.toFixed(0)),
      `${lone[LONE >> 1]?.toFixed(0)} ms`,
      report.atMost(`${format}, a lone generation, p99`, p99, LONE_LIMIT_MS, (value) => `${value.toFixed(0)} ms`),
    ])
  }
  return rows
}
