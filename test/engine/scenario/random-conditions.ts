import type { Table } from '../../../src/engine/cleaning/table.ts'
import { generate } from '../../../src/engine/generate.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import type { CellTarget, MeanTarget, RequestedConditions, ShareTarget } from '../../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'
import { rowsOf } from './written-scenario.ts'

type Cell = string | number | null
type Rows = Readonly<Record<string, readonly Cell[]>>

/** Columns and their numbers of levels. */
const LEVELS = { region: 4, size: 3, sex: 2, wave: 5, brand: 6, answer: 2 }
const NUMBERS = { spend: 2, age: 0, score: 1 }
const NAMES = Object.keys(LEVELS)

export interface People {
  readonly rows: Rows
  readonly weights: Float64Array | null
  readonly model: Model
}

/** People whose columns hang together, with missing answers, and some combinations that nobody has. */
export async function peopleOf(count: number, seed: number, isWeighted: boolean): Promise<People> {
  const random = new RandomStream(seed, PURPOSE.value)
  const rows: Record<string, Cell[]> = Object.fromEntries([...NAMES, ...Object.keys(NUMBERS)].map((name) => [name, []]))
  for (let i = 0; i < count; i++) {
    const traits = [random.real(), random.real()]
    Object.entries(LEVELS).forEach(([name, levels], c) => {
      const at = Math.floor(levels * (0.5 * traits[c % 2]! + 0.5 * random.real()))
      const isMissing = name !== 'sex' && random.real() < 0.04
      rows[name]!.push(isMissing ? null : `${name} ${at}`)
    })
    rows.spend!.push(random.real() < 0.3 ? 0 : Math.round(9000 * (traits[0]! + random.real())) / 100)
    rows.age!.push(random.real() < 0.08 ? null : 18 + Math.floor(60 * (0.4 * traits[1]! + 0.6 * random.real())))
    rows.score!.push(Math.round(1000 * random.real()) / 10)
  }
  const table: Table = tableOf([
    ...NAMES.map((name) => categorical(name, rows[name] as (string | null)[])),
    ...Object.entries(NUMBERS).map(([name, decimals]) => numeric(name, rows[name] as (number | null)[], decimals)),
  ])
  const weights = isWeighted ? Float64Array.from({ length: count }, (_, row) => [0.4, 1, 1.6][row % 3]!) : null
  const model = await trainModel(weights === null ? table : { ...table, weights }, { threads: 1 })
  return { rows, weights, model }
}

export interface Drawn {
  readonly of: RequestedConditions
  readonly rowCount: number
}

/** Conditions that the rows of the people can meet: those of their own rows once they are weighted. */
export function randomConditions({ rows, weights }: People, seed: number): Drawn {
  const random = new RandomStream(seed, PURPOSE.cells)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random.real() * from.length)]!
  const some = <T>(from: readonly T[], most: number): T[] => {
    const left = [...from]
    return Array.from(
      { length: Math.min(most, left.length) },
      () => left.splice(Math.floor(random.real() * left.length), 1)[0]!,
    )
  }
  const count = rows.sex!.length
  const range = random.real() < 0.4 ? { column: 'score', min: 10, max: 85 } : null
  const pull = Object.fromEntries(NAMES.map((name) => [name, Array.from({ length: 7 }, () => 0.6 + random.real())]))
  const weight = Float64Array.from({ length: count }, (_, row) => {
    const value = range === null ? 0 : Number(rows.score![row])
    if (range !== null && !(value >= range.min && value <= range.max)) return 0
    const pulls = NAMES.reduce((product, name) => product * pull[name]![levelOf(rows[name]![row] ?? null)]!, 1)
    return pulls * (weights?.[row] ?? 1)
  })
  const total = weight.reduce((sum, each) => sum + each, 0)
  const sharesOf = (columns: readonly string[]): Map<string, number> => {
    const sums = new Map<string, number>()
    weight.forEach((each, row) => {
      const levels = columns.map((name) => rows[name]![row] ?? null)
      if (each === 0 || levels.includes(null)) return
      const key = levels.join('|')
      sums.set(key, (sums.get(key) ?? 0) + each / total)
    })
    return sums
  }
  const listed = (all: Map<string, number>): [string, number][] => {
    const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1))
    return random.real() < 0.4 ? sorted : some(sorted, 1 + Math.floor(random.real() * sorted.length))
  }
  const shares = some(NAMES, Math.floor(random.real() * 4)).map((column): ShareTarget => {
    const levels = listed(sharesOf([column]))
    if (random.real() < 0.7 || levels.length < 2) return { column, levels: new Map(levels) }
    const [[bounded, share], ...others] = levels as [[string, number], ...[string, number][]]
    return {
      column,
      levels: new Map(others),
      bounds: new Map([[bounded, { min: Math.max(0, share - 0.03), max: share }]]),
    }
  })
  const cells = Array.from({ length: Math.floor(random.real() * 4) }, (): CellTarget => {
    const columns = some(NAMES, random.real() < 0.75 ? 2 : 3)
    return { columns, cells: listed(sharesOf(columns)).map(([key, share]) => ({ levels: key.split('|'), share })) }
  })
  const means = some(['spend', 'age'], Math.floor(random.real() * 3)).map((column): MeanTarget => {
    let [sum, of] = [0, 0]
    weight.forEach((each, row) => {
      const value = rows[column]![row]
      if (typeof value !== 'number') return
      sum += each * value
      of += each
    })
    const mean = Number((sum / of).toFixed(3))
    return { column, min: mean, max: random.real() < 0.8 ? mean : Number.POSITIVE_INFINITY }
  })
  const distinct = cells.filter(({ columns }, i) => {
    const key = (names: readonly string[]) => [...names].sort().join()
    return cells.findIndex((other) => key(other.columns) === key(columns)) === i
  })
  const of = { shares, ranges: range === null ? [] : [range], cells: distinct, means }
  return { of, rowCount: pick([50, 97, 200, 333, 1000, 1501]) }
}

const levelOf = (cell: Cell): number => (cell === null ? 6 : Number(String(cell).split(' ')[1]))

/** What a generation delivered of conditions that it can meet. */
export interface Delivered {
  readonly rows: number
  readonly deviation: number
  /** Counts that are neither the row below nor the row above their share, with what they are about. */
  readonly off: readonly string[]
}

const CLOSE = 1e-6

export async function deliver({ model }: People, { of, rowCount }: Drawn, seed: number): Promise<Delivered> {
  const made = await generate(model, { rowCount, seed, scenario: of, threads: 1, disclosure: 'exact' })
  const rows = await rowsOf(made)
  const { rows: R } = made.feasibility
  const off: string[] = []
  const hold = (columns: readonly string[], levels: readonly string[], least: number, most: number): void => {
    let count = 0
    for (let row = 0; row < R; row++) if (columns.every((name, i) => rows[name]![row] === levels[i])) count++
    if (count >= Math.floor(least * R + CLOSE) && count <= Math.ceil(most * R - CLOSE)) return
    off.push(`${columns.join(' × ')} ${levels.join(' × ')}: ${count} of ${R}, wanted ${least * R} to ${most * R}`)
  }
  for (const { column, levels, bounds } of of.shares) {
    for (const [level, share] of levels) hold([column], [level], share, share)
    for (const [level, { min, max }] of bounds ?? []) hold([column], [level], min, max)
  }
  for (const { columns, cells } of of.cells ?? [])
    for (const { levels, share } of cells) hold(columns, levels, share, share)
  for (const { column, min, max } of R > 0 ? (of.means ?? []) : []) {
    const values = rows[column]!.filter((value): value is number => typeof value === 'number')
    const sum = values.reduce((before, value) => before + value, 0)
    // The lattice of the column's values allows no closer sum.
    const unit = 10 ** -NUMBERS[column as keyof typeof NUMBERS]
    if (sum >= min * values.length - unit / 2 - CLOSE && sum <= max * values.length + unit / 2 + CLOSE) continue
    off.push(`mean of ${column}: ${sum / values.length} of ${values.length}, wanted ${min} to ${max}`)
  }
  for (const { column, min, max } of of.ranges) {
    const outside = rows[column]!.filter((value) => !(typeof value === 'number' && value >= min && value <= max))
    if (outside.length > 0) off.push(`range of ${column}: ${outside.length} outside`)
  }
  return { rows: R, deviation: made.roundingDeviation, off }
}
