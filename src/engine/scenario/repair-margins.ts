/**
 * Moves rows between patterns until their margins are exact.
 *
 * D  conditioned columns, M  margins, G  patterns (see patterns.ts)
 *
 * A row that moves between two patterns that differ in only one column changes only that column's margins, so columns
 * can be corrected one after the other. Within a column the rows move over its levels, from one with too many to one
 * with too few, by the shortest path along patterns of positive mass (in a two-way table that always succeeds). If
 * structural zeros cut every such path, rows move between patterns that differ in several columns.
 */
import type { Margins } from './margins.ts'
import { contextsOf } from './patterns.ts'

export interface RepairProblem {
  /** Length G: rows; changed in place. */
  readonly counts: Int32Array
  /** Length G: rows that each pattern would have if rows could be divided, all positive. */
  readonly ideal: Float64Array
  /** G × D, row-major */
  readonly patternMargins: Int32Array
  readonly margins: Margins
  /** Length M: rows that each margin should have. */
  readonly wanted: Int32Array
}

/** Most pairs of patterns that one search over several columns checks. */
const MAX_PAIRS = 4_000_000

/** @returns the largest remaining distance of a margin from `wanted`, in rows. */
export function repairMargins(problem: RepairProblem): number {
  const { margins } = problem
  const state = new Repair(problem)
  for (;;) {
    for (let d = 0; d < margins.columnCount; d++) if (state.isOff(d)) state.repairColumn(d)
    if (state.worst() === 0 || !state.moveAcrossColumns()) return state.worst()
  }
}

class Repair {
  readonly #counts: Int32Array
  readonly #ideal: Float64Array
  readonly #levels: Int32Array
  readonly #margins: Margins
  /** Length M: rows too many (positive) or too few (negative). */
  readonly #excess: Int32Array

  constructor({ counts, ideal, patternMargins, margins, wanted }: RepairProblem) {
    this.#counts = counts
    this.#ideal = ideal
    this.#levels = patternMargins
    this.#margins = margins
    this.#excess = wanted.map((rows) => -rows)
    const D = margins.columnCount
    for (let g = 0; g < counts.length; g++) {
      for (let d = 0; d < D; d++) this.#excess[patternMargins[g * D + d]!]! += counts[g]!
    }
  }

  worst(): number {
    return this.#excess.reduce((most, excess) => Math.max(most, Math.abs(excess)), 0)
  }

  isOff(d: number): boolean {
    const { start } = this.#margins
    for (let m = start[d]!; m < start[d + 1]!; m++) if (this.#excess[m] !== 0) return true
    return false
  }

  /** Corrects one column as far as moves within it can. */
  repairColumn(d: number): void {
    const contexts = contextsOf(this.#levels, this.#margins.columnCount, d)
    while (this.isOff(d)) {
      if (!this.#moveDirectly(d, contexts) && !this.#moveAlongPath(d, contexts)) return
    }
  }

  /** Moves from levels with too many rows straight to levels with too few, cheapest first. Whether any was made. */
  #moveDirectly(d: number, { order, start }: Contexts): boolean {
    const moves: Move[] = []
    for (let x = 0; x + 1 < start.length; x++) {
      for (let i = start[x]!; i < start[x + 1]!; i++) {
        const from = order[i]!
        if (this.#counts[from] === 0 || this.#excessOf(from, d) <= 0) continue
        let best: Move | null = null
        for (let j = start[x]!; j < start[x + 1]!; j++) {
          const to = order[j]!
          if (this.#excessOf(to, d) >= 0) continue
          const cost = this.#cost(from, to)
          if (best === null || cost < best.cost) best = { from, to, cost }
        }
        if (best !== null) moves.push(best)
      }
    }
    moves.sort((a, b) => a.cost - b.cost || a.from - b.from || a.to - b.to)
    let moved = false
    const touched = new Set<number>()
    for (const { from, to } of moves) {
      if (this.#excessOf(from, d) <= 0 || this.#excessOf(to, d) >= 0 || touched.has(from) || touched.has(to)) continue
      this.#move(from, to)
      touched.add(from).add(to)
      moved = true
    }
    return moved
  }

  /** Moves one row from a level with too many to one with too few over levels in between. Whether one was moved. */
  #moveAlongPath(d: number, { order, start }: Contexts): boolean {
    const first = this.#margins.start[d]!
    const size = this.#margins.start[d + 1]! - first
    const steps: (Move | null)[] = new Array(size * size).fill(null)
    for (let x = 0; x + 1 < start.length; x++) {
      for (let i = start[x]!; i < start[x + 1]!; i++) {
        const from = order[i]!
        if (this.#counts[from] === 0) continue
        for (let j = start[x]!; j < start[x + 1]!; j++) {
          if (i === j) continue
          const to = order[j]!
          const at = (this.#level(from, d) - first) * size + this.#level(to, d) - first
          const cost = this.#cost(from, to)
          if (steps[at] === null || cost < steps[at]!.cost) steps[at] = { from, to, cost }
        }
      }
    }
    const cameFrom = new Int32Array(size).fill(-1)
    const queue: number[] = []
    for (let level = 0; level < size; level++) {
      if (this.#excess[first + level]! <= 0) continue
      cameFrom[level] = level
      queue.push(level)
    }
    for (let head = 0; head < queue.length; head++) {
      const level = queue[head]!
      if (this.#excess[first + level]! < 0) {
        for (let to = level; cameFrom[to] !== to; to = cameFrom[to]!) {
          const { from: pattern, to: target } = steps[cameFrom[to]! * size + to]!
          this.#move(pattern, target)
        }
        return true
      }
      for (let next = 0; next < size; next++) {
        if (cameFrom[next]! >= 0 || steps[level * size + next] === null) continue
        cameFrom[next] = level
        queue.push(next)
      }
    }
    return false
  }

  /** Makes the move between any two patterns that brings the margins closest, if one brings them closer. */
  moveAcrossColumns(): boolean {
    const sources: number[] = []
    const sinks: number[] = []
    const D = this.#margins.columnCount
    for (let g = 0; g < this.#counts.length; g++) {
      let over = false
      let under = false
      for (let d = 0; d < D; d++) {
        const excess = this.#excessOf(g, d)
        if (excess > 0) over = true
        if (excess < 0) under = true
      }
      if (over && this.#counts[g]! > 0) sources.push(g)
      if (under) sinks.push(g)
    }
    let best: Move | null = null
    let bestGain = 0
    const enough = Math.max(1, Math.floor(MAX_PAIRS / Math.max(1, sources.length)))
    for (const from of sources) {
      for (const to of sinks.length > enough ? sinks.slice(0, enough) : sinks) {
        const gain = this.#gain(from, to)
        if (gain < bestGain || gain <= 0) continue
        const cost = this.#cost(from, to)
        if (gain > bestGain || best === null || cost < best.cost) best = { from, to, cost }
        bestGain = gain
      }
    }
    if (best === null) return false
    this.#move(best.from, best.to)
    return true
  }

  /** By how much the distances of all margins shrink together when a row moves. */
  #gain(from: number, to: number): number {
    let gain = 0
    for (let d = 0; d < this.#margins.columnCount; d++) {
      if (this.#level(from, d) === this.#level(to, d)) continue
      gain += (this.#excessOf(from, d) > 0 ? 1 : -1) + (this.#excessOf(to, d) < 0 ? 1 : -1)
    }
    return gain
  }

  /** How far the move takes the two patterns from their ideal rows. */
  #cost(from: number, to: number): number {
    return this.#ideal[from]! - this.#counts[from]! + this.#counts[to]! - this.#ideal[to]!
  }

  #move(from: number, to: number): void {
    this.#counts[from]!--
    this.#counts[to]!++
    for (let d = 0; d < this.#margins.columnCount; d++) {
      this.#excess[this.#level(from, d)]!--
      this.#excess[this.#level(to, d)]!++
    }
  }

  #level(pattern: number, d: number): number {
    return this.#levels[pattern * this.#margins.columnCount + d]!
  }

  #excessOf(pattern: number, d: number): number {
    return this.#excess[this.#level(pattern, d)]!
  }
}

interface Move {
  readonly from: number
  readonly to: number
  readonly cost: number
}

interface Contexts {
  readonly order: Int32Array
  readonly start: Int32Array
}
