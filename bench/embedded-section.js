// The first commands of the README in a fresh folder, and the start of the embedded service on existing data.
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { callBenchProgram, runNodeMeasured, runProgram } from './child-process.js'
import { COFFEE_EXAMPLE, LAUNCHER } from './places.js'
import { limitText, median, megabytes, prose, seconds, table } from './report-text.js'

const STARTS = 5
const RUNS_AGAIN = 3

/**
 * @param {string} tempDir
 * @returns {Promise<string[]>}
 */
export async function embeddedSection(tempDir) {
  const project = join(tempDir, 'p')
  await mkdir(project)
  await cp(COFFEE_EXAMPLE, join(project, 'coffee'), { recursive: true })
  await writeFile(join(project, 'package.json'), '{}')
  const run = [LAUNCHER, 'run', 'coffee/coffee.study.yaml']
  const first = await runNodeMeasured(run, { cwd: project, tempDir })
  const again = []
  for (let i = 0; i < RUNS_AGAIN; i++) again.push((await runProgram(process.execPath, run, { cwd: project })).seconds)

  /** @type {Record<string, number>[]} */
  const starts = []
  for (let i = 0; i < STARTS; i++) {
    starts.push(await callBenchProgram('embedded-program.js', { dataDir: join(project, '.whatif/embedded') }))
  }
  /** @param {string} name */
  const least = (name) => Math.min(...starts.map((start) => start[name] ?? Number.NaN))
  /** @param {string} name */
  const middle = (name) => median(starts.map((start) => start[name] ?? Number.NaN))
  const secondRun = Math.min(...again)
  const firstReply = least('firstReplySeconds')
  const rows = [
    ['first run of examples/coffee', seconds(first.seconds), '', limitText(first.seconds, 60, seconds)],
    ['  peak RSS of it', megabytes(first.peakRssBytes), '', ''],
    ['second run', seconds(secondRun), seconds(median(again)), limitText(secondRun, 1, seconds)],
    [
      'warm start to first reply',
      seconds(firstReply),
      seconds(middle('firstReplySeconds')),
      limitText(firstReply, 1.5, seconds),
    ],
    ['  node and CLI loaded at', seconds(least('loadedSeconds')), seconds(middle('loadedSeconds')), ''],
    ['  peak RSS', megabytes(least('peakRssBytes')), megabytes(middle('peakRssBytes')), ''],
  ]
  return [
    ...prose(
      `Whole commands in a folder of their own; warm starts count from the start of the process. First run once, second ${RUNS_AGAIN} times, starts ${STARTS} times; limits are on the minimum.`,
    ),
    ...table(['', 'min', 'median', 'limit'], rows),
  ]
}
