/**
 * Grows the classification tree of one column (engine of sequential trees after Reiter 2005; Nowok, Raab, Dibben 2016).
 *
 * n  rows     K  codes of the target     m  nodes     F  predictors, additive scores among them
 *
 * Every loop over rows is a function of its own: one function with all of them was compiled anew for each loop that got hot,
 * which took longer than growing the trees of a middling table.
 */

import type { Tree } from '../model.ts'
import type { Score } from '../scores/additive-score.ts'
import type { TrainingData } from '../training-data.ts'
import { type CodeTable, CodeTables } from './code-tables.ts'
import { type GrowingPredictor, growingPredictors } from './growing-predictors.ts'
import { type Growing, packTree } from './pack-tree.ts'
import { SplitSearch } from './split-search.ts'
import { levelClasses, MAX_CLASSES, orderedClasses } from './target-classes.ts'

/**
 * A split must gain this much log-likelihood, and this much per class of the node beyond the first (it adds that many
 * parameters; 1 would be Akaike's criterion). A fixed gain of 4 let noise split targets of 16 classes down to the smallest
 * leaf. Measured, mean of three samplings, fixed 4 against these: C2ST on Adult 0.527 and 0.523, Telco 0.576 and 0.567,
 * sd2011 0.573 and 0.556; rows of Adult nearer to a training row than to a held-out one 0.578 and 0.548. With 1 per class
 * C2ST on Adult rises to 0.533.
 */
const MIN_GAIN = 2
const MIN_GAIN_PER_CLASS = 0.75

/**
 * Trees of a table whose rows would be copied (see copy-limit.ts) are stricter: at this strictness a split has to gain twice as
 * much per class, and a leaf to have four times as many rows. Measured on 4,456 rows of 9 coarse columns, where new rows are
 * copies in 0.212: with gain and leaves copies fell from 0.289 to 0.215, and a model for prediction lost 2 %; with as much gain
 * alone 0.217 and 3 %. Still stricter ones tell: C2ST of 1,500 rows of 10 columns 0.55, here 0.59, with twice the leaves 0.62.
 */
export const MAX_STRICTNESS = 3

/** Fewest rows of a leaf: smaller leaves copy training rows, larger ones blur. */
export function leafRows(rowCount: number, strictness = 0): number {
  if (strictness > 0) return Math.round(leafRows(rowCount) * 4 ** (strictness / 3))
  if (rowCount < 5_000) return 10
  if (rowCount <= 200_000) return 20
  return Math.min(50, 20 + Math.floor((rowCount - 200_000) / 10_000))
}

/**
 * target      column index
 * candidates  columns that may predict it, ascending
 * scores      additive scores of candidates, that may predict it too
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
  readonly #leaf: number
  readonly #gainPerClass: number
  readonly #isOrdinal: boolean
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
  /** Rows by code, all 0 between nodes; the codes that have some. */
  readonly #counts: Int32Array
  readonly #present: Int32Array
  /** Null for a target of many codes. */
  readonly #tables: CodeTables | null
  /**
   * Nodes to look at, and their tables. Depth first: the rows of a subtree stay in the processor's cache. The smaller child first:
   * few tables are kept meanwhile.
   */
  readonly #stack: Int32Array
  readonly #handed: (CodeTable | null)[]
  #open = 1

  constructor(data: TrainingData, target: number, predictors: readonly GrowingPredictor[], strictness: number) {
    const n = data.rowCount
    const { kind, codeCount: k, missing } = data.columns[target]!
    const codes = data.codes[target]!
    this.#leaf = leafRows(n, strictness)
    this.#gainPerClass = MIN_GAIN_PER_CLASS * 2 ** (strictness / 3)
    this.#isOrdinal = kind === 'numeric'
    this.#missing = missing
    this.#k = k
    this.#codes = codes
    this.#predictors = predictors
    this.#search = new SplitSearch(predictors, n)
    this.rows = allRows(n)
    this.#spare = new Int32Array(n)
    this.#nodeCodes = new Uint16Array(n)
    this.#classes = new Uint8Array(n)
    this.#classOf = new Uint8Array(k)
    this.#counts = new Int32Array(k)
    this.#present = new Int32Array(k)
    this.#tables = k <= MAX_CLASSES ? new CodeTables(this.#search.cells, codes, k, this.#classOf) : null
    const most = 2 * Math.max(1, Math.floor(n / this.#leaf)) + 1
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

  /** Splits the next node, or leaves it a leaf. False when none is open. */
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
    if (end - start < 2 * this.#leaf) return false
    const counts = this.#counts
    const present = this.#present
    const presentCount = countCodes(this.#codes, this.rows, start, end, this.#nodeCodes, counts, present)
    const g = this.#isOrdinal
      ? orderedClasses(counts, this.#k, end - start, this.#missing, this.#classOf)
      : levelClasses(counts, this.#k, present, presentCount, this.#classOf)
    clearCounts(counts, present, presentCount)
    if (presentCount < 2) return false
    writeClasses(this.#nodeCodes, this.#classOf, end - start, this.#classes)
    const minGain = Math.max(MIN_GAIN, this.#gainPerClass * (Math.min(g, presentCount) - 1))
    return this.#search.search(this.rows, start, end, this.#classes, g, this.#isOrdinal, this.#leaf, minGain, table)
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

/** Gathers the codes of rows[start … end - 1] and counts them; returns how many codes are present. */
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
  if (predictor.ordered) return predictor.upper ? predictor.upper[search.threshold]! : search.threshold
  const offset = masks.length
  for (let bin = 0; bin < predictor.binCount; bin++) {
    if ((bin & 31) === 0) masks.push(0)
    if (search.leftBins[bin] === 1) masks[masks.length - 1] = (masks[masks.length - 1]! | (1 << (bin & 31))) >>> 0
  }
  return ~offset
}
