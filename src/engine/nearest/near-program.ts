/**
 * The linear program of the mixes that a scenario can have, and of how far they are from what it states.
 *
 * G  combinations of margins, D  conditioned columns (tables of cells are columns, too), M  margins (see scenario/margins.ts)
 *
 *   q(g)  mass of a combination: 0 <= q(g) <= cap(g), summing to 1
 *   p(m)  mass of a margin: the sum of q over its combinations
 *   t(m)  what the scenario states: a number, or anything between the bounds; each column's sum to 1
 *   w(d)  how much of a column is moved: half the sum over its margins of |p(m) - t(m)|
 *   e(m)  how far p(m) is from the stated number, or beyond its bounds
 *   f(m)  how far p(m) is from what the bounds come to by themselves, in columns with bounds
 */
import type { Margins } from '../scenario/margins.ts'
import { loadSolver } from '../scenario/solver.ts'

export interface CappedPatterns {
  /** G × D, row-major. */
  readonly margins: Int32Array
  /** Length G */
  readonly cap: Float64Array
}

/** Entries of the program, which say how much work a solution is. */
export const sizeOf = ({ cap }: CappedPatterns, { columnCount, targets }: Margins): number =>
  cap.length * (columnCount + 1) + 8 * targets.length

/** As in fill.ts: mass in the solver's units, whose tolerances are absolute. */
const SOLVER_MASS = 1e5
const SOLVER_TOLERANCE = 1e-9

export interface NearSolution {
  readonly value: number
  /** Length M: p. */
  readonly masses: Float64Array
}

/** Which sum is made least. */
export type Aim =
  | { readonly kind: 'moved' }
  | { readonly kind: 'largest' }
  | { readonly kind: 'change'; readonly margin: number }
  | { readonly kind: 'unsettled' }

/** One program, solved again and again with narrower bounds. */
export class NearProgram {
  readonly #model: SolverModel
  readonly #optimal: number
  readonly #columns: Columns
  readonly #margins: Margins
  #aim: number[] = []

  /** @param settled Length M: what bounds come to by themselves; null where there are none. */
  static async open(patterns: CappedPatterns, margins: Margins, settled: Float64Array | null): Promise<NearProgram> {
    const highs = await loadSolver()
    const columns = columnsOf(patterns.cap.length, margins, settled !== null)
    const model = highs.createModel({
      sense: highs.constants.objectiveSense.minimize,
      ...programOf(patterns, margins, columns, settled),
    })
    model.options.set({
      output_flag: false,
      presolve: 'off',
      solver: 'simplex',
      primal_feasibility_tolerance: SOLVER_TOLERANCE,
      dual_feasibility_tolerance: SOLVER_TOLERANCE,
    })
    return new NearProgram(model, highs.constants.modelStatus.optimal, columns, margins)
  }

  private constructor(model: SolverModel, optimal: number, columns: Columns, margins: Margins) {
    this.#model = model
    this.#optimal = optimal
    this.#columns = columns
    this.#margins = margins
  }

  /** Null where no mix keeps what was asked. */
  least(aim: Aim): NearSolution | null {
    const { moved, largest, change, unsettled, mass } = this.#columns
    const wanted =
      aim.kind === 'moved'
        ? Array.from(this.#margins.start.slice(1), (_, d) => moved + d)
        : aim.kind === 'largest'
          ? [largest]
          : aim.kind === 'change'
            ? [change + aim.margin]
            : Array.from(this.#margins.targets, (_, m) => unsettled + m)
    for (const column of this.#aim) this.#model.changeColCost(column, 0)
    for (const column of wanted) this.#model.changeColCost(column, 1)
    this.#aim = wanted
    this.#model.run()
    if (this.#model.getModelStatus() !== this.#optimal) return null
    const { colValue } = this.#model.getSolution()
    const value = wanted.reduce((sum, column) => sum + colValue[column]!, 0) / SOLVER_MASS
    const masses = Float64Array.from(this.#margins.targets, (_, m) => Math.max(0, colValue[mass + m]! / SOLVER_MASS))
    return { value, masses }
  }

  /** From here on all moved shares together are no more. */
  boundMoved(most: number): void {
    this.#bound(this.#columns.all, 0, most)
  }

  /** From here on no column has a larger moved share. */
  boundLargest(most: number): void {
    this.#bound(this.#columns.largest, 0, most)
  }

  /** From here on the mass of a margin is between these. */
  boundMass(margin: number, least: number, most: number): void {
    this.#bound(this.#columns.mass + margin, least, most)
  }

  boundChange(margin: number, most: number): void {
    this.#bound(this.#columns.change + margin, 0, most)
  }

  close(): void {
    this.#model.dispose()
  }

  #bound(column: number, least: number, most: number): void {
    this.#model.changeColBounds(column, least * SOLVER_MASS, most * SOLVER_MASS)
  }
}

type SolverModel = ReturnType<Awaited<ReturnType<typeof loadSolver>>['createModel']>

/** Where each kind of variable begins. */
interface Columns {
  readonly mass: number
  readonly above: number
  readonly below: number
  readonly stated: number
  readonly change: number
  readonly unsettled: number
  readonly moved: number
  readonly all: number
  readonly largest: number
  readonly count: number
}

function columnsOf(G: number, { columnCount: D, targets }: Margins, isBounded: boolean): Columns {
  const M = targets.length
  const [mass, above, below, stated, change] = [G, G + M, G + 2 * M, G + 3 * M, G + 4 * M]
  const unsettled = G + 5 * M
  const moved = unsettled + (isBounded ? M : 0)
  const all = moved + D
  return { mass, above, below, stated, change, unsettled, moved, all, largest: all + 1, count: all + 2 }
}

function programOf(
  { margins: of, cap }: CappedPatterns,
  margins: Margins,
  columns: Columns,
  settled: Float64Array | null,
) {
  const { columnCount: D, start, targets } = margins
  const { least, most } = margins.bounds ?? { least: targets, most: targets }
  const program = new Program(columns.count)
  cap.forEach((mass, g) => {
    program.bound(g, 0, Math.min(1, mass))
  })
  program.bound(columns.all, 0, D)
  program.bound(columns.largest, 0, 1)
  program.row(
    1,
    1,
    Array.from(cap, (_, g) => [g, 1]),
  )
  const ofMargin = Array.from(targets, (): [number, number][] => [])
  cap.forEach((_, g) => {
    for (let d = 0; d < D; d++) ofMargin[of[g * D + d]!]!.push([g, 1])
  })
  const allMoved: [number, number][] = []
  for (let d = 0; d < D; d++) {
    const moved: [number, number][] = [[columns.moved + d, -1]]
    const stated: [number, number][] = []
    for (let m = start[d]!; m < start[d + 1]!; m++) {
      const mass = columns.mass + m
      program.bound(columns.stated + m, least[m]!, most[m]!)
      program.row(0, 0, [...ofMargin[m]!, [mass, -1]])
      program.row(0, 0, [
        [mass, 1],
        [columns.above + m, -1],
        [columns.below + m, 1],
        [columns.stated + m, -1],
      ])
      // Within a column as much is above as below.
      moved.push([columns.above + m, 1])
      stated.push([columns.stated + m, 1])
      const change = columns.change + m
      program.row(least[m]!, Number.POSITIVE_INFINITY, [
        [mass, 1],
        [change, 1],
      ])
      program.row(Number.NEGATIVE_INFINITY, most[m]!, [
        [mass, 1],
        [change, -1],
      ])
      if (settled === null) continue
      const unsettled = columns.unsettled + m
      program.row(settled[m]!, Number.POSITIVE_INFINITY, [
        [mass, 1],
        [unsettled, 1],
      ])
      program.row(Number.NEGATIVE_INFINITY, settled[m]!, [
        [mass, 1],
        [unsettled, -1],
      ])
    }
    program.row(0, 0, moved)
    if (margins.bounds !== null) program.row(1, 1, stated)
    program.row(Number.NEGATIVE_INFINITY, 0, [
      [columns.moved + d, 1],
      [columns.largest, -1],
    ])
    allMoved.push([columns.moved + d, 1])
  }
  program.row(0, 0, [...allMoved, [columns.all, -1]])
  return program.data()
}

/** A program that is written row by row. */
class Program {
  readonly #numCols: number
  readonly #colLower: Float64Array
  readonly #colUpper: Float64Array
  readonly #rowLower: number[] = []
  readonly #rowUpper: number[] = []
  readonly #starts: number[] = [0]
  readonly #indices: number[] = []
  readonly #values: number[] = []

  constructor(numCols: number) {
    this.#numCols = numCols
    this.#colLower = new Float64Array(numCols)
    this.#colUpper = new Float64Array(numCols).fill(SOLVER_MASS)
  }

  bound(column: number, least: number, most: number): void {
    this.#colLower[column] = least * SOLVER_MASS
    this.#colUpper[column] = most * SOLVER_MASS
  }

  row(least: number, most: number, entries: readonly (readonly [column: number, value: number])[]): void {
    this.#rowLower.push(least * SOLVER_MASS)
    this.#rowUpper.push(most * SOLVER_MASS)
    for (const [column, value] of entries) {
      this.#indices.push(column)
      this.#values.push(value)
    }
    this.#starts.push(this.#indices.length)
  }

  data() {
    const numRows = this.#rowLower.length
    return {
      numCols: this.#numCols,
      numRows,
      colCost: new Float64Array(this.#numCols),
      colLower: this.#colLower,
      colUpper: this.#colUpper,
      rowLower: Float64Array.from(this.#rowLower),
      rowUpper: Float64Array.from(this.#rowUpper),
      matrix: {
        format: 'csr' as const,
        numRows,
        numCols: this.#numCols,
        starts: Int32Array.from(this.#starts),
        indices: Int32Array.from(this.#indices),
        values: Float64Array.from(this.#values),
      },
    }
  }
}
