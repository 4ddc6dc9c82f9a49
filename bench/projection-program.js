// Projects a table of cells of random shares onto margins that differ from its own, and prints the cost.
import { PURPOSE, RandomStream } from '../dist/engine/sampling/random.js'
import { cellMargins, marginsOf } from '../dist/engine/scenario/margins.js'
import { project } from '../dist/engine/scenario/project.js'

/** @type {{ cells: number, columns: number, levels: number, cap: number }} `cap`: of a cell, times its own share. */
const { cells, columns, levels, cap } = JSON.parse(process.argv[2] ?? '{}')

const stream = new RandomStream(1, PURPOSE.value)
const codes = new Int32Array(cells * columns)
const natural = new Float64Array(cells)
let total = 0
for (let c = 0; c < cells; c++) {
  // A few cells hold most of the rows, as in surveys.
  natural[c] = stream.real() ** 8
  total += natural[c] ?? 0
  for (let d = 0; d < columns; d++) codes[c * columns + d] = stream.below(levels)
}
for (let c = 0; c < cells; c++) natural[c] = (natural[c] ?? 0) / total
// Every second column's first level gets twice its share, its second level half of it; the others keep their proportions.
const conditioned = Array.from({ length: columns }, (_, d) => {
  let [first, second] = [0, 0]
  for (let c = 0; c < cells; c++) {
    const code = codes[c * columns + d] ?? 0
    if (code === 0) first += natural[c] ?? 0
    if (code === 1) second += natural[c] ?? 0
  }
  const changed = d % 2 === 0 ? [2 * first, second / 2] : [first / 2, 2 * second]
  return { codeCount: levels, listed: new Map(changed.map((share, code) => [code, share])) }
})
const margins = marginsOf(conditioned)
const problem = {
  natural,
  cap: natural.map((share) => cap * share),
  cellMargins: cellMargins(codes, margins),
  margins,
  rowCount: 10_000,
}
const before = process.cpuUsage()
const { fill, converged, sweeps } = await project(problem)
const { user, system } = process.cpuUsage(before)
process.stdout.write(JSON.stringify({ cpuSeconds: (user + system) / 1e6, fill, converged, sweeps }))
