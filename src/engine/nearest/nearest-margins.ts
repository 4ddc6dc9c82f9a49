/**
 * The margins nearest to those that a scenario states, among the ones that some mix of its cells has.
 *
 * D  conditioned columns, M  margins (see scenario/margins.ts)
 *
 * Nearest is: the moved shares of all columns sum to the least (near-program.ts). Where several margins are equally near, the largest
 * moved share of a column is the least; where that leaves several, each stated number in turn changes as little as it can; and what
 * bounds leave open is nearest to what they come to by themselves. Every step is a linear program. Then each number that
 * changes is rounded to one that a person can type, in turn, up or down, whichever leaves the rest nearer.
 */
import type { Margins } from '../scenario/margins.ts'
import { type CappedPatterns, NearProgram, type NearSolution, sizeOf } from './near-program.ts'

/** Solutions this close are equal: the solver rounds. */
const EQUAL = 1e-9

/** A number that is off by no more is as stated. */
const CHANGED = 1e-7

/** Decimals of a proposed share; smaller shares have two digits. */
const DECIMALS = 3
const DIGITS = 2

/** Beyond them the solver rounds. */
const MOVED_DECIMALS = 6

/** Most entries of all programs together that are solved for one proposal: about four seconds of a processor. */
const MOST_WORK = 1e6

/** Programs so large that fewer than this many could be solved are not begun. */
const LEAST_SOLUTIONS = 10

export interface NearMarginsQuestion {
  readonly patterns: CappedPatterns
  readonly margins: Margins
  /** The stated margins, in the sequence in which ties are decided. */
  readonly stated: readonly number[]
  /** Length M: what bounds come to by themselves; null where there are none. */
  readonly settled: Float64Array | null
  /** Whether levels with bounds get shares instead: then nothing else decides what the bounds come to. */
  readonly isExact: boolean
}

export interface NearMargins {
  /** Margin → the number that takes the place of the stated one. */
  readonly typed: ReadonlyMap<number, number>
  /** The moved shares of all columns together, with these numbers. */
  readonly moved: number
}

/** Null where no mix has such numbers, or finding them takes too much work. */
export async function nearestMargins(asked: NearMarginsQuestion): Promise<NearMargins | null> {
  const { margins, stated, settled, isExact } = asked
  const size = sizeOf(asked.patterns, margins)
  if (size * LEAST_SOLUTIONS > MOST_WORK) return null
  const program = await NearProgram.open(asked.patterns, margins, settled)
  try {
    const steps = new Steps(program, size)
    const nearest = nearestOf(steps, asked)
    if (nearest === null) return null
    const { least, most } = margins.bounds ?? { least: margins.targets, most: margins.targets }
    const isTyped = (m: number): boolean =>
      beyond(margins, m, nearest.masses[m]!) > CHANGED || (isExact && least[m] !== most[m])
    program.boundMoved(margins.columnCount)
    program.boundLargest(1)
    for (const m of stated) {
      program.boundChange(m, 1)
      if (!isTyped(m)) program.boundMass(m, least[m]!, most[m]!)
    }
    const typed = new Map<number, number>()
    let { masses } = nearest
    for (const m of stated.filter(isTyped)) {
      const found = steps.rounded(m, masses[m]!, (value) => beyond(margins, m, value))
      if (found === null) return null
      program.boundMass(m, found.number, found.number)
      typed.set(m, found.number)
      masses = found.solution.masses
    }
    const last = steps.least({ kind: 'moved' })
    return last && { typed, moved: Number(last.value.toFixed(MOVED_DECIMALS)) }
  } finally {
    program.close()
  }
}

/** The nearest margins before they are rounded. */
function nearestOf(steps: Steps, { margins, stated, settled }: NearMarginsQuestion): NearSolution | null {
  const { program } = steps
  const nearest = steps.least({ kind: 'moved' })
  if (nearest === null) return null
  program.boundMoved(nearest.value + EQUAL)
  let found = steps.least({ kind: 'largest' })
  if (found === null) return null
  program.boundLargest(found.value + EQUAL)
  for (const margin of stated) {
    // What does not change cannot change less.
    if (beyond(margins, margin, found.masses[margin]!) > CHANGED) {
      found = steps.least({ kind: 'change', margin })
      if (found === null) return null
    }
    program.boundChange(margin, beyond(margins, margin, found.masses[margin]!) + EQUAL)
  }
  return settled === null ? found : steps.least({ kind: 'unsettled' })
}

/** How far a mass is from the stated number, or beyond its bounds. */
function beyond({ targets, bounds }: Margins, margin: number, mass: number): number {
  const { least, most } = bounds ?? { least: targets, most: targets }
  return Math.max(0, least[margin]! - mass, mass - most[margin]!)
}

/** Solves programs until they have taken too much work. */
class Steps {
  readonly program: NearProgram
  readonly #size: number
  #left = MOST_WORK

  constructor(program: NearProgram, size: number) {
    this.program = program
    this.#size = size
  }

  least(aim: Parameters<NearProgram['least']>[0]): NearSolution | null {
    this.#left -= this.#size
    return this.#left < 0 ? null : this.program.least(aim)
  }

  /** The number beside a mass, below or above, that leaves the rest nearer; the mass itself where the others decide it. */
  rounded(margin: number, mass: number, change: (value: number) => number) {
    let best: { readonly number: number; readonly solution: NearSolution } | null = null
    for (const number of numbersBeside(mass)) {
      if (best !== null && number === best.number) continue
      this.program.boundMass(margin, number, number)
      const solution = this.least({ kind: 'moved' })
      if (solution === null) continue
      const gain = best === null ? 1 : best.solution.value - solution.value
      const isNearer = gain > EQUAL || (gain > -EQUAL && best !== null && change(number) < change(best.number))
      if (best === null || isNearer) best = { number, solution }
    }
    if (best !== null) return best
    const number = Number(mass.toFixed(9))
    this.program.boundMass(margin, number, number)
    const solution = this.least({ kind: 'moved' })
    return solution && { number, solution }
  }
}

function numbersBeside(mass: number): number[] {
  const near = Number(mass.toFixed(7))
  if (near === 0) return [0]
  const decimals = Math.max(DECIMALS, DIGITS - 1 - Math.floor(Math.log10(near)))
  const unit = 10 ** decimals
  return [Math.floor(near * unit), Math.ceil(near * unit)].map((units) =>
    Math.min(1, Number((units / unit).toFixed(decimals))),
  )
}
