// What the commands have in common that print one table of scores (`peers.js`, `papers.js`): flags, exit codes, the work
// folder, what is said of each scoring, and the frame of the table.
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { markdownTable, missedLines } from './peer-table.js'

/**
 * @typedef {ReturnType<typeof tableFlags>} TableFlags
 * @typedef {{ seeds: number, threads: number }} Effort
 */

/** For `parseArgs`; a command adds its own, and its defaults. */
export const TABLE_OPTIONS = /** @type {const} */ ({
  bench: { type: 'string' },
  seeds: { type: 'string', default: '3' },
  work: { type: 'string' },
  json: { type: 'string' },
})

/**
 * Runs the command: exit code 2 for flags that cannot be read, 1 for an error, 0 where nothing can be measured here. Without
 * `--work` the folder is removed at the end.
 *
 * @template {{ work: string | null }} Flags
 * @param {object} command
 * @param {string} command.script As npm knows it.
 * @param {string} command.usage
 * @param {(args: string[]) => Flags} command.readFlags
 * @param {(flags: Flags) => Promise<string | null>} [command.whyNotMeasured] What this machine lacks, or null.
 * @param {(flags: Flags, work: string) => Promise<void>} command.run
 */
export async function runTableCommand({ script, usage, readFlags, whyNotMeasured = async () => null, run }) {
  if (process.argv.includes('--help')) {
    process.stdout.write(`${usage}\n`)
    return
  }
  const flags = readOrExit()
  const reason = await whyNotMeasured(flags)
  if (reason !== null) {
    process.stderr.write(`${script}: nothing was measured: ${reason}\n`)
    return
  }
  const work = flags.work ?? (await mkdtemp(join(tmpdir(), `whatif-${script.replace(':', '-')}-`)))
  try {
    await run(flags, work)
  } catch (error) {
    process.stderr.write(`${script}: ${/** @type {Error} */ (error).message}\n`)
    process.exitCode = 1
  } finally {
    if (flags.work === null) await rm(work, { recursive: true, force: true })
  }

  function readOrExit() {
    try {
      return readFlags(process.argv.slice(2))
    } catch (error) {
      process.stderr.write(`${script}: ${/** @type {Error} */ (error).message}\n${usage}\n`)
      return process.exit(2)
    }
  }
}

/**
 * The flags that all of these commands have, checked.
 *
 * @param {string} script
 * @param {Record<'seeds' | 'threads' | 'limit', string> & { work?: string | undefined, json?: string | undefined }} values
 */
export function tableFlags(script, values) {
  return {
    seeds: whole('seeds'),
    threads: whole('threads'),
    work: values.work === undefined ? null : calledPath(script, values.work),
    json: values.json === undefined ? null : calledPath(script, values.json),
    limitSeconds: whole('limit'),
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

/**
 * npm runs scripts in the project's folder; paths are meant from where it was called.
 *
 * @param {string} script
 * @param {string} given
 */
export function calledPath(script, given) {
  const { npm_lifecycle_event: running, INIT_CWD: calledFrom } = process.env
  return resolve(running === script && calledFrom ? calledFrom : '.', given)
}

/** @param {string} list Names with commas between them. */
export function namesIn(list) {
  return list.split(',').map((name) => name.trim())
}

/**
 * @param {readonly string[]} names
 * @param {readonly string[]} known
 * @throws Error for a name that is not known.
 */
export function requireDatasets(names, known) {
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`no dataset is called ${unknown}; there are ${known.join(', ')}`)
}

/**
 * Says on stderr how a scoring ended, and after how long.
 *
 * @template Scored
 * @param {string} label
 * @param {() => Promise<Scored>} score
 * @param {(scored: Scored) => boolean} isScored
 */
export async function watchScoring(label, score, isScored) {
  const begun = performance.now()
  const scored = await score()
  const taken = ((performance.now() - begun) / 1000).toFixed(0)
  process.stderr.write(`${label}: ${isScored(scored) ? 'scored' : 'FAILED'} after ${taken} s\n`)
  return scored
}

/**
 * The lines of a report: how ours was measured, what else is to be known of the table, the table, what is missed, what failed.
 *
 * @param {object} report
 * @param {Effort} report.effort
 * @param {string} [report.exception] Behind the number of seeds: what it does not hold for.
 * @param {readonly string[]} report.about
 * @param {readonly import('./peer-table.js').DatasetTable[]} report.tables
 * @param {readonly string[]} report.failures
 */
export function reportLines({ effort: { seeds, threads }, exception = '', about, tables, failures }) {
  return [
    `whatif: mean of ${seeds} seed${seeds === 1 ? '' : 's ± standard deviation'}${exception}, trained, sampled and scored in this run with ${threads} thread${threads === 1 ? '' : 's'} on ${availableParallelism()} x ${cpus()[0]?.model.trim() ?? 'an unknown processor'} (load average ${loadavg()[0]?.toFixed(1)}), Node ${process.version}.`,
    ...about,
    '',
    ...markdownTable(tables),
    '',
    ...missedLines(tables),
    ...(failures.length > 0 ? ['Failed:', '', ...failures.map((line) => `- ${line}`), ''] : []),
  ]
}
