// The cost of starting the command, compared with starting node.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from './child-process.js'
import { LAUNCHER } from './places.js'
import { limitText, median, milliseconds, prose, table, times } from './report-text.js'

const ROUNDS = 15

/**
 * @param {string} tempDir
 * @returns {Promise<string[]>}
 */
export async function cliSection(tempDir) {
  await writeFile(join(tempDir, 'package.json'), '{}')
  await writeFile(join(tempDir, 'panel.csv'), `region,age\n${'North,31\nSouth,48\n'.repeat(100)}`)
  await writeFile(join(tempDir, 'twenty.study.yaml'), twentyScenarios())
  const commands = [
    { name: 'node -e 0', args: ['-e', '0'], limit: null },
    { name: '--version', args: [LAUNCHER, '--version'], limit: 2 },
    { name: 'validate --offline', args: [LAUNCHER, 'validate', '--offline', 'twenty.study.yaml'], limit: 4 },
    { name: 'plan', args: [LAUNCHER, 'plan', 'twenty.study.yaml'], limit: null },
  ]
  /** @type {number[][]} */
  const taken = commands.map(() => [])
  // Interleaved, so that other work of the machine affects all of them equally.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, { args }] of commands.entries()) {
      taken[i]?.push((await runProgram(process.execPath, args, { cwd: tempDir })).seconds)
    }
  }
  const least = taken.map((values) => Math.min(...values))
  const middle = taken.map(median)
  const rows = commands.map(({ name, limit }, i) => {
    const ratio = ratioTo(least, i)
    return [
      name,
      milliseconds(least[i] ?? 0),
      milliseconds(middle[i] ?? 0),
      i === 0 ? '' : times(ratio),
      i === 0 ? '' : times(ratioTo(middle, i)),
      limit === null ? '' : limitText(ratio, limit, times),
    ]
  })
  return [
    ...prose(
      `whatif with a study of 20 scenarios; ${ROUNDS} interleaved runs each; ratios to bare node; the limit is on the ratio of the minima.`,
    ),
    ...table(['', 'min', 'median', 'min', 'median', 'limit'], rows),
  ]
}

/**
 * @param {readonly number[]} values Bare node first.
 * @param {number} i
 */
function ratioTo(values, i) {
  return (values[i] ?? 0) / (values[0] ?? 1)
}

function twentyScenarios() {
  const scenarios = Array.from(
    { length: 20 },
    (_, i) => `  s${i + 1}:
    rows: ${100 + i}
    shares: { region: { North: ${(0.02 * (i + 1)).toFixed(2)} } }
    ranges: { age: { min: 18, max: ${40 + i} } }
`,
  )
  return `version: 1
name: twenty
datasets:
  panel: { file: panel.csv }
defaults: { rows: 100, seed: 1 }
scenarios:
${scenarios.join('')}`
}
