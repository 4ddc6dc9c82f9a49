// The engine on Adult compared with the open peers: speed, memory, seconds of scenarios. (`npm run bench:peers`
// measures fidelity.)
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { callBenchProgram } from './child-process.js'
import { SCENARIOS } from './peer-metrics.js'
import { openPeers, readPeers } from './peers-file.js'
import { sharedFile } from './places.js'
import { limitText, prose, seconds, table, times } from './report-text.js'
import { scoringTool, splitRows } from './split-rows.js'

/** A table of cells as large as in scenarios. The caps do not bind, as is usual. */
const PROJECTION = { cells: 200_000, columns: 10, levels: 4, cap: 1_000 }

/** Runs of our engine per number of threads; the fastest is shown. */
const ROUNDS = 2

/**
 * @param {string} tempDir
 * @returns {Promise<string[]>}
 */
export async function engineSection(tempDir) {
  const real = sharedFile('data/adult.csv')
  if (real === null) return prose('Skipped: ../shared/data/adult.csv is not there.')
  const tool = await scoringTool(sharedFile('bench/engine_bench.py'))
  const script = 'script' in tool ? tool.script : null
  const split = join(tempDir, 'split')
  const file = await splitRows(real, split, script)
  const peers = openPeers((await readPeers(sharedFile('bench/peers.json'))).adult ?? {})
  const scenarios = await readScenarios()

  const request = { file, rows: 22_793, tempDir, scenarios }
  /** @param {number} threads */
  const fastest = async (threads) => {
    const runs = []
    for (let i = 0; i < ROUNDS; i++) runs.push(await callBenchProgram('engine-program.js', { ...request, threads }))
    return runs.reduce((a, b) => (total(b) < total(a) ? b : a))
  }
  const one = await fastest(1)
  const two = await fastest(2)
  const whole = await callBenchProgram('engine-program.js', {
    ...request,
    file: real,
    rows: 1,
    threads: 2,
    scenarios: {},
  })

  return [
    ...speedLines(peers, one, two),
    ...wholeLines(whole),
    '',
    ...scenarioLines(peers, two),
    '',
    ...(await projectionLines()),
  ]
}

async function projectionLines() {
  const run = await callBenchProgram('projection-program.js', PROJECTION)
  const { cells, columns, levels } = PROJECTION
  return prose(
    `${cells.toLocaleString('en')} cells of ${columns} columns of ${levels} levels projected onto their margins: ${seconds(run.cpuSeconds)} of the processor (${limitText(run.cpuSeconds, 2, seconds)}), ${run.sweeps} sweeps${run.converged ? '' : ', NOT CONVERGED'}.`,
  )
}

async function readScenarios() {
  const path = sharedFile('bench/scenarios/adult.json')
  return path === null ? {} : JSON.parse(await readFile(path, 'utf8')).scenarios
}

/** @param {{ trainSeconds: number, readSeconds: number, sampleSeconds: number }} run */
function total(run) {
  return run.readSeconds + run.trainSeconds + run.sampleSeconds
}

/**
 * @param {[string, any][]} peers
 * @param {any} one
 * @param {any} two
 */
function speedLines(peers, one, two) {
  const fit = two.readSeconds + two.trainSeconds
  const theirs = peers.map(([name, { report }]) => [
    name,
    seconds(report.fit_seconds),
    seconds(report.sample_seconds),
    `${report.peak_rss_mib_fit_sample.toFixed(0)} MiB`,
    times(fit / report.fit_seconds),
    times(two.sampleSeconds / report.sample_seconds),
    times(two.peakRssBytes / 2 ** 20 / report.peak_rss_mib_fit_sample),
  ])
  const ours = [one, two].map((run, i) => [
    `whatif, ${i + 1} thread${i === 0 ? '' : 's'}`,
    seconds(run.readSeconds + run.trainSeconds),
    seconds(run.sampleSeconds),
    `${(run.peakRssBytes / 2 ** 20).toFixed(0)} MiB`,
  ])
  return [
    ...prose(
      `${two.rows.toLocaleString('en')} training rows, as many sampled. The peers were measured elsewhere, on this kind of machine, and are read from ../shared/bench/peers.json; ours in this run, the faster of ${ROUNDS}, reading and cleaning the file counted as fit. Ratios are ours with 2 threads over the peer's.`,
    ),
    ...(peers.length === 0 ? prose('Peers skipped: ../shared/bench/peers.json is not there.') : []),
    ...table(['', 'fit', 'sample', 'peak RSS', 'fit', 'sample', 'RSS'], [...ours, ...theirs]),
    ...prose(
      `CPU time of ours with 1 thread: fit ${seconds(one.fitCpuSeconds)}, sample ${seconds(one.sampleCpuSeconds)}; with 2: ${seconds(two.fitCpuSeconds)}, ${seconds(two.sampleCpuSeconds)}. A busy machine shows in wall time only.`,
    ),
  ]
}

/** @param {any} run */
function wholeLines(run) {
  const all = run.readSeconds + run.trainSeconds
  return prose(
    `The whole file, ${run.rows.toLocaleString('en')} rows, with 2 threads: read in ${seconds(run.readSeconds)}, cleaned and trained in ${seconds(run.trainSeconds)}, together ${seconds(all)} (${limitText(all, 1, seconds)}).`,
  )
}

/**
 * @param {[string, any][]} peers
 * @param {any} run
 */
function scenarioLines(peers, run) {
  const names = SCENARIOS.filter((name) => name in run.scenarios)
  if (names.length === 0) return prose('Scenarios skipped: ../shared/bench/scenarios/adult.json is not there.')
  const measured = names.map((name) => run.scenarios[name])
  const rows = [
    ['whatif, first', ...measured.map((s) => `${seconds(s.firstSeconds)} ${s.shareError.toFixed(4)}`)],
    ['whatif, later', ...measured.map((s) => `${seconds(s.laterSeconds)} ${s.shareError.toFixed(4)}`)],
    ...peers
      .filter(([, peer]) => names.every((name) => peer.report.scenarios?.[name]))
      .map(([peer, record]) => [
        peer,
        ...names.map(
          (name) =>
            `${seconds(record.report.scenarios[name].seconds)} ${record.scenarios[name].max_share_error.toFixed(4)}`,
        ),
      ]),
  ]
  const first = Math.max(...measured.map((s) => s.firstSeconds))
  const later = Math.max(...measured.map((s) => s.laterSeconds))
  const outside = measured.reduce((sum, s) => sum + s.outOfRange, 0)
  return [
    ...prose('Scenarios: seconds and largest share error. "First" trains the order of columns, "later" has it.'),
    ...table(['', ...names.map((name, i) => `${name} (${measured[i].rows})`)], rows),
    ...prose(
      `Slowest first ${seconds(first)} (${limitText(first, 1, seconds)}), slowest later ${seconds(later)} (${limitText(later, 0.3, seconds)}). Values outside a range, or missing in a ranged column: ${outside}.`,
    ),
  ]
}
