// `npm run bench:papers`: our engine on the tables, splits and metrics of the TabSyn and TabDiff papers, beside the published
// figures, and the targets that it misses. The shared `bench/paper/run.py` splits, runs our engine and scores.
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runProgram } from './child-process.js'
import { PAPER_TABLES, paperTable } from './paper-metrics.js'
import { quoted } from './peer-runs.js'
import { benchFile, sharedFile } from './places.js'
import { missingPython, PYTHON } from './python.js'
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

const SCRIPT = 'bench:papers'
const USAGE = `npm run -s bench:papers -- [--bench ../shared/bench/paper] [--data ../shared/data/paper]
  [--datasets ${PAPER_TABLES.join(',')}] [--seeds 3] [--threads 1] [--work FOLDER] [--json FILE] [--limit 1800]
--work keeps splits, rows and scores. --limit is seconds per table, training and scoring together.`

/** The name under which run.py keeps our figures. */
const OURS = 'whatif'

await runTableCommand({ script: SCRIPT, usage: USAGE, readFlags, whyNotMeasured, run })

/**
 * What this machine lacks; null if nothing.
 *
 * @param {ReturnType<typeof readFlags>} flags
 */
async function whyNotMeasured({ bench, data }) {
  if (bench === null) return '../shared/bench/paper is not beside the project; --bench names another folder'
  if (data === null) return '../shared/data/paper is not beside the project; --data names another folder'
  const missing = await missingPython(['pandas', 'scipy', 'sklearn', 'xgboost'])
  return missing === null ? null : `${missing} (Debian: python3-xgboost and so on)`
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
  // Figures of an earlier run in the same folder must not count as figures of this one.
  await rm(results, { force: true })
  const tables = []
  const failures = []
  for (const name of datasets) {
    const args = [join(bench, 'run.py'), '--data', data, '--work', work, '--results', results, '--no-reference']
    args.push('--datasets', name, '--seeds', String(seeds), '--engine', `${OURS}=${command}`)
    const failure = await watchScoring(
      name,
      () => failureOf(args, limitSeconds),
      (found) => found === null,
    )
    if (failure !== null) {
      failures.push(`${name}: ${failure}`)
      continue
    }
    const record = JSON.parse(await readFile(results, 'utf8'))[name]
    tables.push(paperTable({ name, record: record[OURS], published }))
  }
  if (json !== null) await writeFile(json, `${JSON.stringify({ seeds, threads, tables }, null, 1)}\n`)
  if (failures.length > 0) process.exitCode = 1
  const lines = reportLines({
    effort: { seeds, threads },
    exception: ' (DCR: one)',
    about: [
      `TabDiff, TabSyn and TabDDPM: published figures, not measured here. ${published.sources.verified}`,
      `Rows marked "recalled" have published figures from memory: ${published.sources.memory}`,
    ],
    tables,
    failures,
  })
  process.stdout.write(`${lines.join('\n')}\n`)
}

/**
 * Why run.py failed, in one line, or null.
 *
 * @param {readonly string[]} args
 * @param {number} limitSeconds
 */
async function failureOf(args, limitSeconds) {
  try {
    await runProgram(PYTHON, args, { timeoutMs: limitSeconds * 1000 })
    return null
  } catch (error) {
    return /** @type {Error} */ (error).message.replaceAll('\n', ' / ')
  }
}

/** @param {string[]} args */
function readFlags(args) {
  const { values } = parseArgs({
    args,
    options: {
      ...TABLE_OPTIONS,
      data: { type: 'string' },
      datasets: { type: 'string', default: PAPER_TABLES.join(',') },
      threads: { type: 'string', default: '1' },
      limit: { type: 'string', default: '1800' },
    },
  })
  const bench = values.bench === undefined ? sharedFile('bench/paper') : calledPath(SCRIPT, values.bench)
  const data = values.data === undefined ? sharedFile('data/paper') : calledPath(SCRIPT, values.data)
  if (bench !== null && !existsSync(join(bench, 'run.py'))) {
    throw new Error(`--bench must name a folder with run.py, found none in ${bench}`)
  }
  if (data !== null && !existsSync(data)) throw new Error(`--data must name a folder, found none at ${data}`)
  const datasets = namesIn(values.datasets)
  requireDatasets(datasets, PAPER_TABLES)
  return { bench, data, datasets, ...tableFlags(SCRIPT, values) }
}
