/**
 * Grows the classification tree of one column (engine of sequential trees after Reiter 2005; Nowok, Raab, Dibben 2016).
 *
 * n  rows     K  codes of the target     m  nodes     F  predictors, additive scores among them
 *
 * Every loop over rows is a function of its own. A single function was compiled again for each loop that became hot, which took
 * longer than growing the trees of a medium-sized table.
 */

import type { Score } from '../model/additive-score.ts'
import type { Tree } from '../model/model.ts'
import type { TrainingData } from '../scores/training-data.ts'
import { type CodeTable, CodeTables } from './code-tables.ts'
import { type GrowingPredictor, growingPredictors } from './growing-predictors.ts'
import { leafRows, leastGain } from './growth-limits.ts'
import { type Growing, packTree } from './pack-tree.ts'
import { SplitSearch } from './split-search.ts'
import {
  levelClasses,
  MAX_CLASSES,
  mostClasses,
  orderedClasses,
  scaleClasses,
  scaleSequence,
} from './target-classes.ts'

/**
 * target      column index
 * candidates  columns that may predict it, ascending
 * scores      additive scores of candidates, which may predict it too
 * strictness  0 … MAX_STRICTNESS
 *
 * Deterministic: ties go to the first candidate, then to the first cut. Cost: about F n log(n / leaf).
 */
export function growTree(
  data: TrainingData,
  target: number,
  candidates: Int32Array,
  scores: readonly Score[] = [],
  strictness = 0,
): Tree {
  const predictors = growingPredictors(data, target, candidates, scores)
  const growth = new Growth(data, target, predictors, strictness)
  while (growth.step());
  return packTree(growth.tree, target, candidates, predictors, data.codes[target]!, growth.rows)
}

class Growth {
  readonly tree: Growing
  /** The tree's permutation of rows. */
  readonly rows: Int32Array
  /** In rows, whatever the copies of each. */
  readonly #leaf: number
  /** Copies for each effective row; 1 where rows have no weights. */
  readonly #perRow: number
  /** 1 at the first copy of a row; null where rows have no weights. */
  readonly #isFirst: Uint8Array | null
  readonly #strictness: number
  readonly #isNumeric: boolean
  readonly #isOrdinal: boolean
  /** Of ordered levels, see scaleSequence. */
  readonly #sequence: Int32Array | null
  readonly #missing: 0 | 1
  readonly #k: number
  readonly #codes: Uint16Array
  readonly #predictors: readonly GrowingPredictor[]
  readonly #search: SplitSearch
  readonly #spare: Int32Array
  /** Codes and classes of a node's rows. */
  readonly #nodeCodes: Uint16Array
  readonly #classes: Uint8Array
  readonly #classOf: Uint8Array
  /** Rows by code, all 0 between nodes; and the codes with rows. */
  readonly #counts: Int32Array
  readonly #present: Int32Array
  /** Null for a target of many codes. */
  readonly #tables: CodeTables | null
  /**
   * Nodes to process, and their tables. Depth first: the rows of a subtree stay in the processor's cache. The smaller child first:
   * few tables are kept meanwhile.
   */
  readonly #stack: Int32Array
  readonly #handed: (CodeTable | null)[]
  #open = 1

  constructor(data: TrainingData, target: number, predictors: readonly GrowingPredictor[], strictness: number) {
    const n = data.rowCount
    const { kind, codeCount: k, missing } = data.columns[target]!
    const codes = data.codes[target]!
    const people = data.copies?.rowCount ?? n
    this.#leaf = leafRows(people, strictness)
    this.#perRow = data.copies?.perEffectiveRow ?? 1
    this.#isFirst = data.copies?.isFirst ?? null
    this.#strictness = strictness
    this.#sequence = kind === 'categorical' ? scaleSequence(data.centers[target]!) : null
    this.#isOrdinal = kind === 'numeric' || this.#sequence !== null
    this.#isNumeric = kind === 'numeric'
    this.#missing = missing
    this.#k = k
    this.#codes = codes
    this.#predictors = predictors
    this.#search = new SplitSearch(predictors, n, this.#isFirst)
    this.rows = allRows(n)
    this.#spare = new Int32Array(n)
    this.#nodeCodes = new Uint16Array(n)
    this.#classes = new Uint8Array(n)
    this.#classOf = new Uint8Array(k)
    this.#counts = new Int32Array(k)
    this.#present = new Int32Array(k)
    this.#tables = k <= MAX_CLASSES ? new CodeTables(this.#search.cells, codes, k, this.#classOf) : null
    const most = 2 * Math.max(1, Math.floor(people / this.#leaf)) + 1
    this.tree = {
      feature: new Int16Array(most).fill(-1),
      test: new Int32Array(most),
      left: new Int32Array(most),
      parent: new Int32Array(most).fill(-1),
      start: new Int32Array(most),
      end: new Int32Array(most),
      masks: [],
      nodes: 1,
    }
    this.tree.end[0] = n
    this.#stack = new Int32Array(most)
    this.#handed = [this.#tables?.of(this.rows, 0, n) ?? null]
  }

  /** Splits the next node, or makes it a leaf. False if none is open. */
  step(): boolean {
    if (this.#open === 0) return false
    const node = this.#stack[--this.#open]!
    const table = this.#handed[this.#open] ?? null
    this.#handed[this.#open] = null
    if (this.#findSplit(node, table)) this.#divide(node, table)
    else this.#tables?.giveBack(table)
    return true
  }

  #findSplit(node: number, table: CodeTable | null): boolean {
    const start = this.tree.start[node]!
    const end = this.tree.end[node]!
    if (this.#rowsOf(start, end) < 2 * this.#leaf) return false
    const counts = this.#counts
    const present = this.#present
    const presentCount = countCodes(this.#codes, this.rows, start, end, this.#nodeCodes, counts, present)
    const g = this.#isNumeric
      ? orderedClasses(
          counts,
          this.#k,
          end - start,
          this.#missing,
          mostClasses((end - start) / this.#perRow),
          this.#classOf,
        )
      : this.#sequence
        ? scaleClasses(counts, this.#sequence, this.#classOf)
        : levelClasses(counts, this.#k, present, presentCount, this.#classOf)
    clearCounts(counts, present, presentCount)
    if (presentCount < 2) return false
    writeClasses(this.#nodeCodes, this.#classOf, end - start, this.#classes)
    // Gains are counted in copies, and what a split is worth in effective rows.
    const minGain = leastGain(end - start, this.rows.length, Math.min(g, presentCount), this.#strictness) * this.#perRow
    return this.#search.search(this.rows, start, end, this.#classes, g, this.#isOrdinal, this.#leaf, minGain, table)
  }

  /** Rows behind the node's copies. A row's copies are never parted. */
  #rowsOf(start: number, end: number): number {
    return this.#isFirst === null ? end - start : countRows(this.#isFirst, this.rows, start, end)
  }

  #divide(node: number, table: CodeTable | null): void {
    const { tree, rows } = this
    const search = this.#search
    const predictor = this.#predictors[search.feature]!
    const start = tree.start[node]!
    const end = tree.end[node]!
    const middle = partition(rows, this.#spare, start, end, predictor.bins, search.leftBins)
    const left = tree.nodes
    tree.nodes += 2
    tree.feature[node] = search.feature
    tree.test[node] = testOf(predictor, search, tree.masks)
    tree.left[node] = left
    tree.parent[left] = node
    tree.parent[left + 1] = node
    tree.start[left] = start
    tree.end[left] = middle
    tree.start[left + 1] = middle
    tree.end[left + 1] = end
    const smaller = middle - start <= end - middle ? 0 : 1
    const small = left + smaller
    if (table) {
      this.#handed[this.#open + 1] = this.#tables!.split(table, rows, tree.start[small]!, tree.end[small]!, end - start)
      this.#handed[this.#open] = table
    }
    this.#stack[this.#open++] = left + 1 - smaller
    this.#stack[this.#open++] = small
  }
}

function allRows(n: number): Int32Array {
  const rows = new Int32Array(n)
  for (let i = 0; i < n; i++) rows[i] = i
  return rows
}

function countRows(isFirst: Uint8Array, rows: Int32Array, start: number, end: number): number {
  let count = 0
  for (let i = start; i < end; i++) count += isFirst[rows[i]!]!
  return count
}

/** Collects the codes of rows[start … end - 1] and counts them; returns how many codes are present. */
function countCodes(
  codes: Uint16Array,
  rows: Int32Array,
  start: number,
  end: number,
  nodeCodes: Uint16Array,
  counts: Int32Array,
  present: Int32Array,
): number {
  let presentCount = 0
  for (let i = start; i < end; i++) {
    const code = codes[rows[i]!]!
    nodeCodes[i - start] = code
    const before = counts[code]!
    if (before === 0) present[presentCount++] = code
    counts[code] = before + 1
  }
  return presentCount
}

function clearCounts(counts: Int32Array, present: Int32Array, presentCount: number): void {
  for (let i = 0; i < presentCount; i++) counts[present[i]!] = 0
}

function writeClasses(nodeCodes: Uint16Array, classOf: Uint8Array, n: number, classes: Uint8Array): void {
  for (let i = 0; i < n; i++) classes[i] = classOf[nodeCodes[i]!]!
}

/** Moves the rows that go left to the front, keeping their order on both sides; returns where the right side starts. */
function partition(
  rows: Int32Array,
  spare: Int32Array,
  start: number,
  end: number,
  bins: Uint8Array,
  leftBins: Uint8Array,
): number {
  let left = start
  let right = 0
  for (let i = start; i < end; i++) {
    const row = rows[i]!
    if (leftBins[bins[row]!] === 1) rows[left++] = row
    else spare[right++] = row
  }
  for (let i = 0; i < right; i++) rows[left + i] = spare[i]!
  return left
}

/** See Tree.test. */
function testOf(predictor: GrowingPredictor, search: SplitSearch, masks: number[]): number {
  const { binCount, codes } = predictor
  if (predictor.ordered && !codes) return predictor.upper ? predictor.upper[search.threshold]! : search.threshold
  const offset = masks.length
  for (let word = 0; word < binCount; word += 32) masks.push(0)
  for (let bin = 0; bin < binCount; bin++) {
    if (search.leftBins[bin] !== 1) continue
    const code = codes ? codes[bin]! : bin
    masks[offset + (code >>> 5)] = (masks[offset + (code >>> 5)]! | (1 << (code & 31))) >>> 0
  }
  return ~offset
}
