// `npm run bench:papers`: ours on the tables, splits and metrics of the TabSyn and TabDiff papers, beside the figures that the
// papers published, and what of it is yet to be reached. The shared `bench/paper/run.py` splits, runs ours and scores.
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runProgram } from './child-process.js'
import { PAPER_TABLES, paperTable } from './paper-metrics.js'
import { quoted } from './peer-runs.js'
import { markdownTable, missedLines } from './peer-table.js'
import { benchFile, sharedFile } from './places.js'
import { PYTHON } from './split-rows.js'

const USAGE = `npm run -s bench:papers -- [--bench ../shared/bench/paper] [--data ../shared/data/paper]
  [--datasets ${PAPER_TABLES.join(',')}] [--seeds 3] [--threads 1] [--work FOLDER] [--json FILE] [--limit 1800]
--work keeps splits, rows and scores. --limit is seconds per table, training and scoring together.`

/** The name under which run.py keeps our figures. */
const OURS = 'whatif'

if (process.argv.includes('--help')) {
  process.stdout.write(`${USAGE}\n`)
  process.exit(0)
}

/** @type {ReturnType<typeof readFlags>} */
let flags
try {
  flags = readFlags(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`bench:papers: ${/** @type {Error} */ (error).message}\n${USAGE}\n`)
  process.exit(2)
}
const reason = await whyNotMeasured(flags)
if (reason !== null) {
  process.stderr.write(`bench:papers: nothing was measured: ${reason}\n`)
  process.exit(0)
}
const work = flags.work ?? (await mkdtemp(join(tmpdir(), 'whatif-bench-papers-')))
try {
  await run(flags, work)
} catch (error) {
  process.stderr.write(`bench:papers: ${/** @type {Error} */ (error).message}\n`)
  process.exitCode = 1
} finally {
  if (flags.work === null) await rm(work, { recursive: true, force: true })
}

/**
 * What this machine lacks, or null.
 *
 * @param {ReturnType<typeof readFlags>} flags
 */
async function whyNotMeasured({ bench, data }) {
  if (bench === null) return '../shared/bench/paper is not beside the project; --bench names another folder'
  if (data === null) return '../shared/data/paper is not beside the project; --data names another folder'
  try {
    await runProgram(PYTHON, ['-c', 'import pandas, scipy, sklearn, xgboost'])
    return null
  } catch {
    return `${PYTHON} is not there, or lacks pandas, scipy, sklearn or xgboost (Debian: python3-xgboost and so on)`
  }
}

/**
 * @param {ReturnType<typeof readFlags>} flags
 * @param {string} work
 */
async function run({ bench, data, datasets, seeds, threads, json, limitSeconds }, work) {
  if (bench === null || data === null) throw new Error('nothing to measure with')
  const published = JSON.parse(await readFile(join(bench, 'published.json'), 'utf8'))
  // The papers model every column as it stands; cleaning would drop near-constant ones.
  const command = `${quoted(process.execPath)} ${quoted(benchFile('engine-command.js'))} --threads ${threads} --auto-clean false`
  const results = join(work, 'paper.json')
  // Figures of an earlier run in the same folder must not pass for those of this one.
  await rm(results, { force: true })
  const tables = []
  const failures = []
  for (const name of datasets) {
    const begun = performance.now()
    const args = [join(bench, 'run.py'), '--data', data, '--work', work, '--results', results, '--no-reference']
    args.push('--datasets', name, '--seeds', String(seeds), '--engine', `${OURS}=${command}`)
    try {
      await runProgram(PYTHON, args, { timeoutMs: limitSeconds * 1000 })
    } catch (error) {
      failures.push(`- ${name}: ${/** @type {Error} */ (error).message.replaceAll('\n', ' / ')}`)
    }
    const failed = failures.some((line) => line.startsWith(`- ${name}:`))
    const taken = ((performance.now() - begun) / 1000).toFixed(0)
    process.stderr.write(`${name}: ${failed ? 'FAILED' : 'scored'} after ${taken} s\n`)
    if (failed) continue
    const record = JSON.parse(await readFile(results, 'utf8'))[name]
    tables.push(paperTable({ name, record: record[OURS], published }))
  }
  if (json !== null) await writeFile(json, `${JSON.stringify({ seeds, threads, tables }, null, 1)}\n`)
  if (failures.length > 0) process.exitCode = 1
  const lines = [
    `whatif: mean of ${seeds} seed${seeds === 1 ? '' : 's ± standard deviation'} (DCR: one), trained, sampled and scored in this run with ${threads} thread${threads === 1 ? '' : 's'} on ${availableParallelism()} x ${cpus()[0]?.model.trim() ?? 'an unknown processor'} (load average ${loadavg()[0]?.toFixed(1)}), Node ${process.version}.`,
    `TabDiff, TabSyn and TabDDPM: published figures, not measured here. ${published.sources.verified}`,
    `Rows marked "recalled" have published figures from memory: ${published.sources.memory}`,
    '',
    ...markdownTable(tables),
    '',
    ...missedLines(tables),
    ...(failures.length > 0 ? ['Failed:', '', ...failures, ''] : []),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** @param {string[]} args */
function readFlags(args) {
  const { values } = parseArgs({
    args,
    options: {
      bench: { type: 'string' },
      data: { type: 'string' },
      datasets: { type: 'string', default: PAPER_TABLES.join(',') },
      seeds: { type: 'string', default: '3' },
      threads: { type: 'string', default: '1' },
      work: { type: 'string' },
      json: { type: 'string' },
      limit: { type: 'string', default: '1800' },
    },
  })
  const bench = values.bench === undefined ? sharedFile('bench/paper') : path(values.bench)
  const data = values.data === undefined ? sharedFile('data/paper') : path(values.data)
  if (bench !== null && !existsSync(join(bench, 'run.py'))) {
    throw new Error(`--bench must name a folder with run.py, found none in ${bench}`)
  }
  if (data !== null && !existsSync(data)) throw new Error(`--data must name a folder, found none at ${data}`)
  const datasets = values.datasets.split(',').map((name) => name.trim())
  const unknown = datasets.find((name) => !PAPER_TABLES.includes(name))
  if (unknown !== undefined) throw new Error(`no dataset is called ${unknown}; there are ${PAPER_TABLES.join(', ')}`)
  return {
    bench,
    data,
    datasets,
    seeds: whole('seeds'),
    threads: whole('threads'),
    work: values.work === undefined ? null : path(values.work),
    json: values.json === undefined ? null : path(values.json),
    limitSeconds: whole('limit'),
  }

  /**
   * npm runs scripts in the project's folder; paths are meant from where it was called.
   *
   * @param {string} given
   */
  function path(given) {
    const { npm_lifecycle_event: script, INIT_CWD: calledFrom } = process.env
    return resolve(script === 'bench:papers' && calledFrom ? calledFrom : '.', given)
  }

  /** @param {'seeds' | 'threads' | 'limit'} flag */
  function whole(flag) {
    const value = Number(values[flag])
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new Error(`--${flag} must be a whole number of at least 1, found ${JSON.stringify(values[flag])}`)
    }
    return value
  }
}
