// `npm run -s bench:engine -- <flags>`: the engine under the command contract of the shared bench, so that one tool runs and
// scores our engine and its peers. Reads, cleans, trains, projects and samples with the code of the service.
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { cleanTable } from '../dist/engine/clean.js'
import { generate } from '../dist/engine/generate.js'
import { trainModel } from '../dist/engine/train.js'
import { openTableWriter } from '../dist/formats/open-table-writer.js'
import { readTable } from '../dist/formats/read-table.js'
import { peakRssBytes } from './peak-rss.js'
import { engineScenario } from './scenario-counts.js'
import { stopwatch } from './stopwatch.js'

const USAGE = `npm run -s bench:engine -- --train FILE --n ROWS --out FILE --report FILE
  [--schema FILE] [--scenarios FILE --scenario-out FOLDER]
  [--seed 20260101] [--threads ${availableParallelism()}] [--auto-clean true]`

/** @type {ReturnType<typeof readFlags>} */
let flags
try {
  flags = readFlags(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`bench:engine: ${/** @type {Error} */ (error).message}\n${USAGE}\n`)
  process.exit(2)
}
const tempDir = await mkdtemp(join(tmpdir(), 'whatif-bench-engine-'))
try {
  await run(flags)
} catch (error) {
  process.stderr.write(`bench:engine: ${/** @type {Error} */ (error).message}\n`)
  process.exitCode = 1
} finally {
  await rm(tempDir, { recursive: true, force: true })
}

/** @param {ReturnType<typeof readFlags>} flags */
async function run({ train, rowCount, out, report, scenarios, seed, threads, autoClean }) {
  const clock = stopwatch()
  const raw = await readTable(train, { tempDir: join(tempDir, 'reading'), threads })
  const { table } = cleanTable(raw, { autoClean })
  const model = await trainModel(table, { threads })
  const { user, system } = process.cpuUsage()
  const fitted = { fit_seconds: clock(), fit_cpu_seconds: (user + system) / 1e6 }
  const kept = new Set(model.columns.map(({ sourceName }) => sourceName))

  await write(out, rowCount, { shares: [], ranges: [] })
  const sampled = { sample_seconds: clock(), peak_rss_mib_fit_sample: peakRssBytes() / 2 ** 20 }

  /** @type {Record<string, { seconds: number, rows: number, fill?: number, error?: string }>} */
  const answered = {}
  if (scenarios !== null) {
    /** @type {{ scenarios: Record<string, import('./scenario-counts.js').BenchScenario> }} */
    const file = JSON.parse(await readFile(scenarios.file, 'utf8'))
    await mkdir(scenarios.folder, { recursive: true })
    for (const [name, { row_count, conditions }] of Object.entries(file.scenarios)) {
      const path = join(scenarios.folder, `${name}.csv`)
      // A file of an earlier run must not count as the answer.
      await rm(path, { force: true })
      clock()
      try {
        const scenario = engineScenario(conditions, model.columns)
        const { rows, fill } = await write(path, row_count, scenario)
        answered[name] = { seconds: clock(), rows, fill }
      } catch (error) {
        // A scenario on a column that cleaning dropped is a fault of that scenario only; the others still get their rows.
        answered[name] = { seconds: clock(), rows: 0, error: /** @type {Error} */ (error).message }
      }
    }
  }
  const facts = {
    ...fitted,
    ...sampled,
    scenarios: answered,
    threads,
    rows: table.rowCount,
    dropped_columns: raw.columns.map(({ name }) => name).filter((name) => !kept.has(name)),
  }
  const draft = `${report}.part`
  await writeFile(draft, `${JSON.stringify(facts, null, 1)}\n`)
  await rename(draft, report)

  /**
   * Writes a scenario's rows, block by block, under the column names of the file that was read.
   *
   * @param {string} path
   * @param {number} rowCount
   * @param {import('../dist/engine/scenario/scenario.js').Scenario} scenario
   */
  async function write(path, rowCount, scenario) {
    const { columns, blocks, feasibility } = await generate(model, { rowCount, seed, scenario, threads })
    if (feasibility.rows === 0) throw new Error(feasibility.shortfall?.detail ?? 'no row can be made')
    const named = columns.map((column, i) => ({ ...column, name: model.columns[i]?.sourceName ?? column.name }))
    const writer = await openTableWriter(`${path}.part`, 'csv', named, { tempDir: join(tempDir, 'writing') })
    for await (const block of blocks) await writer.write(block)
    await writer.close()
    await rename(`${path}.part`, path)
    return feasibility
  }
}

/** @param {string[]} args */
function readFlags(args) {
  const { values } = parseArgs({
    args,
    options: {
      train: { type: 'string' },
      // The bench's own column types. Our engine infers the types from the file, as the service does.
      schema: { type: 'string' },
      n: { type: 'string' },
      out: { type: 'string' },
      report: { type: 'string' },
      scenarios: { type: 'string' },
      'scenario-out': { type: 'string' },
      seed: { type: 'string', default: '20260101' },
      threads: { type: 'string', default: String(availableParallelism()) },
      'auto-clean': { type: 'string', default: 'true' },
    },
  })
  const autoClean = values['auto-clean']
  if (autoClean !== 'true' && autoClean !== 'false') {
    throw new Error(`--auto-clean must be true or false, found ${JSON.stringify(autoClean)}`)
  }
  if ((values.scenarios === undefined) !== (values['scenario-out'] === undefined)) {
    throw new Error('--scenarios and --scenario-out go together, found one of them')
  }
  return {
    train: path('train'),
    rowCount: whole('n', 1),
    out: path('out'),
    report: path('report'),
    scenarios: values.scenarios === undefined ? null : { file: path('scenarios'), folder: path('scenario-out') },
    seed: whole('seed', 0),
    threads: whole('threads', 1),
    autoClean: autoClean === 'true',
  }

  /** @param {keyof typeof values} flag */
  function text(flag) {
    const value = values[flag]
    if (value === undefined || value === '') throw new Error(`--${flag} is missing`)
    return value
  }

  /**
   * npm runs scripts in the project's folder; paths are relative to the folder it was called from.
   *
   * @param {keyof typeof values} flag
   */
  function path(flag) {
    const { npm_lifecycle_event: script, INIT_CWD: calledFrom } = process.env
    return resolve(script === 'bench:engine' && calledFrom ? calledFrom : '.', text(flag))
  }

  /**
   * @param {keyof typeof values} flag
   * @param {number} least
   */
  function whole(flag, least) {
    const given = text(flag)
    const value = Number(given)
    if (!/^\d+$/.test(given) || !Number.isSafeInteger(value) || value < least) {
      throw new Error(`--${flag} must be a whole number of at least ${least}, found ${JSON.stringify(given)}`)
    }
    return value
  }
}
