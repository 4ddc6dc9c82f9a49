// A run of many scenarios against a service with a fixed response time: the cost of the runner itself.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openTableWriter } from '../dist/formats/open-table-writer.js'
import { CLEAN_ENV, runNodeMeasured } from './child-process.js'
import { LAUNCHER } from './places.js'
import { limitText, megabytes, prose, seconds, table, times } from './report-text.js'
import { TalkingChild } from './talking-child.js'

const SCENARIOS = 500
const CONCURRENCY = 20
const ANSWER_MS = 50
const ROWS = 200
/** Of the ideal: as many requests as generations may go on, under way from the first to the last. */
const MOST_OVER_IDEAL = 1.25
const MOST_RSS_BYTES = 200e6
/** The fastest counts: a machine that shares its processors takes half as long again at other moments. */
const ROUNDS = 5

/**
 * @param {string} tempDir
 * @returns {Promise<string[]>}
 */
export async function runSection(tempDir) {
  const rows = []
  for (const format of /** @type {const} */ (['parquet', 'csv', 'arrow'])) {
    const artifact = await artifactOf(format, tempDir)
    const service = new TalkingChild('late-service-program.js')
    try {
      const { url } = await service.ask({ delayMs: ANSWER_MS, artifact: artifact.toString('base64'), rows: ROWS })
      const runs = []
      for (let round = 0; round < ROUNDS; round++) {
        runs.push(await measureRun(join(tempDir, `${format}-${round}`), { format, url, service }))
      }
      const best = runs.reduce((a, b) => (b.seconds / b.ideal < a.seconds / a.ideal ? b : a))
      const peak = Math.max(...runs.map((run) => run.peakRssBytes))
      rows.push([
        format,
        String(best.requests),
        String(best.mostOpen),
        seconds(best.ideal),
        seconds(best.seconds),
        limitText(best.seconds / best.ideal, MOST_OVER_IDEAL, times),
        megabytes(peak),
        limitText(peak, MOST_RSS_BYTES, megabytes),
        seconds(Math.min(...runs.map((run) => run.againSeconds))),
      ])
    } finally {
      await service.kill()
    }
  }
  return [
    ...prose(
      `${SCENARIOS} scenarios of ${ROWS} rows, ${CONCURRENCY} generations at once and as many downloads beside them; every request is answered after ${ANSWER_MS} ms, generations are finished then. Ideal: requests x ${ANSWER_MS} ms / ${CONCURRENCY}, as if nothing went on beside. The whole command, the fastest of ${ROUNDS} runs; then the same command once more, with nothing to do.`,
    ),
    ...table(['', 'requests', 'most at once', 'ideal', 'wall', 'over ideal', 'peak RSS', 'limit', 'again'], rows),
  ]
}

/**
 * @param {string} folder
 * @param {{ format: string, url: string, service: TalkingChild }} options
 */
async function measureRun(folder, { format, url, service }) {
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{}')
  await writeFile(join(folder, 'panel.csv'), `region,intent,age\n${'North,Yes,31\nSouth,No,48\n'.repeat(100)}`)
  await writeFile(join(folder, 'many.study.yaml'), manyScenarios(format))
  const command = [LAUNCHER, 'run', 'many.study.yaml', '--concurrency', String(CONCURRENCY), '--quiet', '--yes']
  const env = {
    ...CLEAN_ENV,
    WHATIF_BASE_URL: url,
    WHATIF_AUTH_URL: url,
    WHATIF_CLIENT_ID: 'bench',
    WHATIF_CLIENT_SECRET: 'bench-secret',
  }
  const first = await runNodeMeasured(command, { cwd: folder, tempDir: folder, env })
  const { requests, generations, artifacts, mostOpen } = await service.ask({})
  if (generations !== SCENARIOS || artifacts !== SCENARIOS) {
    throw new Error(`${generations} generations and ${artifacts} downloads for ${SCENARIOS} scenarios`)
  }
  const again = await runNodeMeasured(command, { cwd: folder, tempDir: folder, env })
  const { requests: further } = await service.ask({})
  if (further > 0) throw new Error(`${further} requests of a run that had nothing to do`)
  return {
    requests,
    mostOpen,
    ideal: (requests * ANSWER_MS) / 1000 / CONCURRENCY,
    seconds: first.seconds,
    peakRssBytes: first.peakRssBytes,
    againSeconds: again.seconds,
  }
}

/**
 * A file as the service would make it: the same for all scenarios.
 *
 * @param {'parquet' | 'csv' | 'arrow'} format
 * @param {string} tempDir
 */
async function artifactOf(format, tempDir) {
  const path = join(tempDir, `artifact.${format}`)
  const writer = await openTableWriter(
    path,
    format,
    [
      { name: 'region', kind: 'categorical', levels: ['East', 'North', 'South', 'West'], integer: false },
      { name: 'intent', kind: 'categorical', levels: ['No', 'Unsure', 'Yes'], integer: false },
      { name: 'age', kind: 'numeric', integer: true, decimals: 0 },
    ],
    { tempDir: join(tempDir, 'writing') },
  )
  await writer.write({
    rowCount: ROWS,
    columns: [
      { codes: Int32Array.from({ length: ROWS }, (_, i) => i % 4) },
      { codes: Int32Array.from({ length: ROWS }, (_, i) => i % 3) },
      { values: Float64Array.from({ length: ROWS }, (_, i) => 18 + (i % 60)), valid: null },
    ],
  })
  await writer.close()
  return await readFile(path)
}

/**
 * One matrix of shares and ages; all requests differ.
 *
 * @param {string} format
 */
function manyScenarios(format) {
  const shares = Array.from({ length: 25 }, (_, i) => `s${i}: ${(0.02 + i / 50).toFixed(2)}`).join(', ')
  const ages = Array.from(
    { length: SCENARIOS / 25 },
    (_, i) => `            a${i}: { ranges: { age: { min: ${18 + i}, max: 80 } } }`,
  ).join('\n')
  return `version: 1
name: many
datasets:
  panel: { file: panel.csv }
defaults: { rows: ${ROWS}, seed: 1, format: ${format} }
limits: { max_scenarios: ${SCENARIOS} }
scenarios:
  grid:
    matrix:
      axes:
        - { name: intent, set: [shares, intent, "Yes"], values: { ${shares} } }
        - name: ages
          values:
${ages}
`
}
