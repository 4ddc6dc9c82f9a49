// `npm run bench:peers`: our engine beside the open peers on real tables, as one Markdown table, and the targets that it misses.
// Our engine is trained and scored here; the peers' figures are read from a file, unless a flag names a peer to run.
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { FURTHER_TABLES, prepareTable } from './further-tables.js'
import { benchTables, linkBench, quoted, runEngine } from './peer-runs.js'
import { datasetTable } from './peer-table.js'
import { REFERENCES, readPeers } from './peers-file.js'
import { benchFile, sharedFile } from './places.js'
import { scoringTool } from './split-rows.js'
import {
  calledPath,
  namesIn,
  reportLines,
  requireDatasets,
  runTableCommand,
  TABLE_OPTIONS,
  tableFlags,
  watchScoring,
} from './table-command.js'

const SCRIPT = 'bench:peers'
const USAGE = `npm run -s bench:peers -- [--bench ../shared/bench] [--datasets adult,telco] [--seeds 3]
  [--engine "name=COMMAND"]...  a peer to run here too, under the bench's command contract
  [--threads ${availableParallelism()}] [--fetch] [--work FOLDER] [--json FILE] [--limit 900]
Datasets: those of the bench, and ${FURTHER_TABLES.map(({ name }) => name).join(', ')}; all when none is named.
--fetch downloads packages that hold further tables, with apt-get and npm, into the work folder. --work keeps everything.`

await runTableCommand({ script: SCRIPT, usage: USAGE, readFlags, run })

/**
 * @param {ReturnType<typeof readFlags>} flags
 * @param {string} work
 */
async function run({ bench, datasets, seeds, engines, threads, mayFetch, json, limitSeconds }, work) {
  const tool = await scoringTool(join(bench, 'engine_bench.py'))
  if ('reason' in tool) throw new Error(tool.reason)
  await mkdir(join(work, 'data'), { recursive: true })
  const ours = `${quoted(process.execPath)} ${quoted(benchFile('engine-command.js'))}`
  const own = await benchTables(bench)
  const known = [...own, ...FURTHER_TABLES].map(({ name }) => name)
  requireDatasets(datasets ?? [], known)
  const shared = own.filter(({ name }) => datasets?.includes(name) ?? true)
  const { prepared, missing, about } = await prepareFurther()
  const peersFile = join(bench, 'peers.json')
  const peers = await readPeers(existsSync(peersFile) ? peersFile : null)
  const tables = [...shared, ...prepared]
  await linkBench(work, bench, tables)

  /** @type {import('./peer-table.js').DatasetTable[]} */
  const done = []
  for (const table of tables) {
    const read = peers[table.name] ?? {}
    const runs = []
    for (let seed = 1; seed <= seeds; seed++) {
      // A further table is cleaned already. Cleaning its training part again could drop a column that peers are scored on.
      const again = prepared.includes(table) ? ' --auto-clean false' : ''
      runs.push(await call(table, `whatif-${seed}`, `${ours} --threads ${threads} --seed ${seed}${again}`))
    }
    /** @type {Record<string, any>} */
    const measured = {}
    for (const [name, command] of engines) measured[name] = await call(table, name, command)
    for (const name of REFERENCES) if (!(name in read)) measured[name] = await call(table, name, null)
    done.push(
      datasetTable({
        name: table.name,
        isShared: table.name in peers,
        about: about.get(table.name) ?? null,
        ours: runs,
        read,
        measured,
        scenarios: table.scenarios === null ? null : JSON.parse(table.scenarios),
      }),
    )
  }
  if (json !== null) await writeFile(json, `${JSON.stringify({ seeds, threads, tables: done, missing }, null, 1)}\n`)
  process.stdout.write(`${report(done, missing, { seeds, threads }).join('\n')}\n`)

  /**
   * @param {import('./peer-runs.js').BenchTable} table
   * @param {string} engine
   * @param {string | null} command
   */
  async function call(table, engine, command) {
    return watchScoring(
      `${table.name}, ${engine}`,
      () => runEngine({ work, table, engine, command, limitSeconds }),
      ({ score }) => Boolean(score),
    )
  }

  async function prepareFurther() {
    const scenarios = JSON.parse(await readFile(benchFile('further-scenarios.json'), 'utf8'))
    /** @type {import('./peer-runs.js').BenchTable[]} */
    const prepared = []
    /** @type {string[]} */
    const missing = []
    /** @type {Map<string, string>} */
    const about = new Map()
    for (const table of FURTHER_TABLES) {
      const { name, character, origin, licence, target } = table
      if (datasets !== null && !datasets.includes(name)) continue
      const file = join(work, 'data', `${name}.csv`)
      const places = {
        out: file,
        sharedFolder: dirname(bench),
        packages: join(work, 'packages'),
        mayFetch,
        tempDir: work,
      }
      const outcome = await prepareTable(table, places)
      if ('reason' in outcome) {
        missing.push(`${name} (${character}): ${outcome.reason}`)
        continue
      }
      const without = outcome.dropped.length === 0 ? '' : ` Without ${list(outcome.dropped)}.`
      about.set(name, `${character}. ${origin}. Licence: ${licence}.${without}`)
      const own = scenarios[name] ? JSON.stringify({ dataset: name, scenarios: scenarios[name] }) : null
      prepared.push({ name, file, target, drop: [], scenarios: own })
    }
    return { prepared, missing, about }
  }
}

/**
 * @param {readonly import('./peer-table.js').DatasetTable[]} tables
 * @param {readonly string[]} missing
 * @param {import('./table-command.js').Effort} effort
 */
function report(tables, missing, effort) {
  const read = [...new Set(tables.flatMap(({ readFromFile }) => readFromFile))]
  const measured = [...new Set(tables.flatMap(({ measuredHere }) => measuredHere))]
  const failures = tables.flatMap(({ name, failures }) => failures.map((failure) => `${name}: ${failure}`))
  const abouts = tables.flatMap(({ name, about }) => (about === null ? [] : [`- **${name}**: ${about}`]))
  const about = [
    ...(read.length > 0
      ? [
          `Read from the bench's peers.json, measured elsewhere on this kind of machine and not in this run: ${read.join(', ')}.`,
        ]
      : []),
    ...(measured.length > 0 ? [`Measured in this run where the table says "this run": ${measured.join(', ')}.`] : []),
    `${REFERENCES.join(' and ')} are reference points, not engines: the training rows themselves, and every column shuffled on its own.`,
  ]
  return [
    ...reportLines({ effort, about, tables, failures }),
    ...(abouts.length > 0 ? ['Further tables, as our cleaning leaves them:', '', ...abouts, ''] : []),
    ...(missing.length > 0 ? ['Not measured:', '', ...missing.map((line) => `- ${line}`), ''] : []),
  ]
}

/** @param {readonly string[]} names */
function list(names) {
  return names.length > 8 ? `${names.length} columns (${names.slice(0, 6).join(', ')}, …)` : names.join(', ')
}

/** @param {string[]} args */
function readFlags(args) {
  const { values } = parseArgs({
    args,
    options: {
      ...TABLE_OPTIONS,
      datasets: { type: 'string' },
      engine: { type: 'string', multiple: true, default: [] },
      threads: { type: 'string', default: String(availableParallelism()) },
      fetch: { type: 'boolean', default: false },
      limit: { type: 'string', default: '900' },
    },
  })
  const bench = values.bench === undefined ? sharedFile('bench') : calledPath(SCRIPT, values.bench)
  if (bench === null)
    throw new Error('the shared bench is not at ../shared/bench beside the project; --bench names its folder')
  if (!existsSync(join(bench, 'run_all.py')))
    throw new Error(`--bench must name a folder with run_all.py, found none in ${bench}`)
  return {
    bench,
    datasets: values.datasets === undefined ? null : namesIn(values.datasets),
    engines: values.engine.map(engine),
    mayFetch: values.fetch,
    ...tableFlags(SCRIPT, values),
  }

  /** @param {string} text */
  function engine(text) {
    const [, name, command] = /^([\w-]+)=(.+)$/s.exec(text) ?? []
    if (name === undefined || command === undefined) {
      throw new Error(`--engine must be name=COMMAND, found ${JSON.stringify(text)}`)
    }
    return /** @type {const} */ ([name, command])
  }
}
