// Drives the shared bench: its `run_all.py` splits, calls an engine, and scores the output. To include tables outside
// its own list, it is called through a folder of links with a longer list.
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runProgram } from './child-process.js'
import { PYTHON } from './python.js'

/** The parts of the shared bench; it finds the others relative to itself. */
const PROGRAMS = ['run_all.py', 'engine_bench.py', 'run_baseline.py']

/**
 * @typedef {{ name: string, file: string, target: string, drop: string[], scenarios: string | null }} BenchTable
 *   `file`: the real table, CSV; `scenarios`: text of its scenario file.
 */

/**
 * The datasets of a bench folder.
 *
 * @param {string} bench
 * @returns {Promise<BenchTable[]>}
 */
export async function benchTables(bench) {
  /** @type {Record<string, { path: string, target: string, drop: string[] }>} */
  const list = JSON.parse(await readFile(join(bench, 'datasets.json'), 'utf8'))
  return Promise.all(
    Object.entries(list).map(async ([name, { path, target, drop }]) => ({
      name,
      file: join(dirname(bench), path),
      target,
      drop,
      scenarios: await readFile(join(bench, 'scenarios', `${name}.json`), 'utf8').catch(() => null),
    })),
  )
}

/**
 * @param {string} work
 * @param {string} bench
 * @param {readonly BenchTable[]} tables
 */
export async function linkBench(work, bench, tables) {
  const [programs, scenarios, data] = ['bench', 'bench/scenarios', 'data'].map((name) => join(work, name))
  if (!programs || !scenarios || !data) throw new Error('a folder has no name')
  await mkdir(scenarios, { recursive: true })
  await mkdir(data, { recursive: true })
  for (const program of PROGRAMS) await link(join(bench, program), join(programs, program))
  /** @type {Record<string, { path: string, target: string, drop: string[] }>} */
  const list = {}
  for (const table of tables) {
    const path = join('data', `${table.name}.csv`)
    if (table.file !== join(work, path)) await link(table.file, join(work, path))
    if (table.scenarios !== null) await writeFile(join(scenarios, `${table.name}.json`), table.scenarios)
    list[table.name] = { path, target: table.target, drop: table.drop }
  }
  await writeFile(join(programs, 'datasets.json'), JSON.stringify(list, null, 1))
}

/**
 * Runs one engine on one table, and scores it.
 *
 * @param {{ work: string, table: BenchTable, engine: string, command: string | null, limitSeconds: number }} options
 *   `command`: null for the bench's own reference points.
 * @returns {Promise<any>} The record that `run_all.py` makes; without `score` where the engine failed.
 */
export async function runEngine({ work, table, engine, command, limitSeconds }) {
  const results = join(work, 'results.json')
  const args = [join(work, 'bench', 'run_all.py'), '--work', work, '--results', results, '--datasets', table.name]
  args.push('--only', engine, '--limit', String(limitSeconds))
  if (command !== null) args.push('--engine', `${engine}=${command}`)
  if (table.scenarios === null) args.push('--no-scenarios')
  // Scoring has no limit of its own in the bench: as long as the engine had is plenty. A peer's command may name files
  // as its user sees them.
  await runProgram(PYTHON, args, { cwd: process.cwd(), timeoutMs: (2 * limitSeconds + 120) * 1000 })
  return JSON.parse(await readFile(results, 'utf8'))[table.name][engine]
}

/**
 * A word of a command as the bench takes it apart again.
 *
 * @param {string} word
 */
export function quoted(word) {
  return `'${word.replaceAll("'", `'"'"'`)}'`
}

/**
 * @param {string} target
 * @param {string} path
 */
async function link(target, path) {
  await rm(path, { force: true })
  await symlink(target, path)
}
