/**
 * Grows the classification tree of one column (engine of sequential trees after Reiter 2005; Nowok, Raab, Dibben 2016).
 *
 * n  rows     K  codes of the target     m  nodes     F  predictors, additive scores among them
 */

import type { Tree } from '../model.ts'
import { type Score, scoreBins } from '../scores/additive-score.ts'
import { share, sharedInt16, sharedInt32, sharedUint16 } from '../threads/shared-arrays.ts'
import type { TrainingData } from '../training-data.ts'
import { type CodeTable, CodeTables } from './code-tables.ts'
import { groupLevels } from './level-order.ts'
import { MAX_BINS, type Predictor, SplitSearch } from './split-search.ts'
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

/** Fewest rows of a leaf: smaller leaves copy training rows, larger ones blur. */
export function leafRows(rowCount: number): number {
  if (rowCount < 5_000) return 10
  if (rowCount <= 200_000) return 20
  return Math.min(50, 20 + Math.floor((rowCount - 200_000) / 10_000))
}

interface GrowingPredictor extends Predictor {
  /** -1 for a score. */
  readonly column: number
  readonly score: Score | null
  /** Code → bin where the tree has to keep it, see Tree.groups. */
  readonly groups: Uint16Array | null
  /** Largest code of every bin; null where thresholds compare bins. */
  readonly upper: Uint16Array | null
}

/** The tree's parallel arrays while they are filled; sized for the most nodes that the leaf size allows. */
interface Growing {
  readonly feature: Int16Array
  readonly test: Int32Array
  readonly left: Int32Array
  readonly parent: Int32Array
  readonly start: Int32Array
  readonly end: Int32Array
  readonly masks: number[]
  nodes: number
}

/**
 * target      column index
 * candidates  columns that may predict it, ascending
 * scores      additive scores of candidates, that may predict it too
 *
 * Deterministic: ties go to the first candidate, then to the first cut. Cost: about F n log(n / leaf).
 */
export function growTree(
  data: TrainingData,
  target: number,
  candidates: Int32Array,
  scores: readonly Score[] = [],
): Tree {
  const n = data.rowCount
  const leaf = leafRows(n)
  const { kind, codeCount: k, missing } = data.columns[target]!
  const codes = data.codes[target]!
  const ordinal = kind === 'numeric'
  const predictors = [...preparePredictors(data, target, candidates), ...scorePredictors(data, scores)]
  const search = new SplitSearch(predictors, n)

  const most = 2 * Math.max(1, Math.floor(n / leaf)) + 1
  const tree: Growing = {
    feature: new Int16Array(most).fill(-1),
    test: new Int32Array(most),
    left: new Int32Array(most),
    parent: new Int32Array(most).fill(-1),
    start: new Int32Array(most),
    end: new Int32Array(most),
    masks: [],
    nodes: 1,
  }
  tree.end[0] = n
  const rows = new Int32Array(n)
  for (let i = 0; i < n; i++) rows[i] = i
  const spare = new Int32Array(n)
  const nodeCodes = new Uint16Array(n)
  const classes = new Uint8Array(n)
  const classOf = new Uint8Array(k)
  const counts = new Int32Array(k)
  const present = new Int32Array(k)

  const tables = k <= MAX_CLASSES ? new CodeTables(search.cells, codes, k, classOf) : null

  // Depth first: the rows of a subtree stay in the processor's cache. The smaller child first: few tables are kept meanwhile.
  const stack = new Int32Array(most)
  const handed: (CodeTable | null)[] = [tables?.of(rows, 0, n) ?? null]
  let open = 1
  while (open > 0) {
    const node = stack[--open]!
    const table = handed[open] ?? null
    handed[open] = null
    const start = tree.start[node]!
    const end = tree.end[node]!
    if (end - start < 2 * leaf) {
      tables?.giveBack(table)
      continue
    }

    let presentCount = 0
    for (let i = start; i < end; i++) {
      const code = codes[rows[i]!]!
      nodeCodes[i - start] = code
      if (counts[code]!++ === 0) present[presentCount++] = code
    }
    const g = ordinal
      ? orderedClasses(counts, k, end - start, missing, classOf)
      : levelClasses(counts, k, present, presentCount, classOf)
    for (let i = 0; i < end - start; i++) classes[i] = classOf[nodeCodes[i]!]!
    for (let i = 0; i < presentCount; i++) counts[present[i]!] = 0

    const minGain = Math.max(MIN_GAIN, MIN_GAIN_PER_CLASS * (Math.min(g, presentCount) - 1))
    if (presentCount < 2 || !search.search(rows, start, end, classes, g, ordinal, leaf, minGain, table)) {
      tables?.giveBack(table)
      continue
    }
    const predictor = predictors[search.feature]!
    const middle = partition(rows, spare, start, end, predictor.bins, search.leftBins)
    const left = tree.nodes
    tree.nodes += 2
    tree.feature[node] = search.feature
    tree.test[node] = testOf(predictor, search, tree.masks)
    tree.left[node] = left
    for (let side = 0; side < 2; side++) {
      tree.parent[left + side] = node
      tree.start[left + side] = side === 0 ? start : middle
      tree.end[left + side] = side === 0 ? middle : end
    }
    const smaller = middle - start <= end - middle ? 0 : 1
    const [small, large] = [left + smaller, left + 1 - smaller]
    if (table) {
      handed[open + 1] = tables!.split(table, rows, tree.start[small]!, tree.end[small]!, end - start)
      handed[open] = table
    }
    stack[open++] = large
    stack[open++] = small
  }
  return pack(tree, target, candidates, predictors, codes, rows)
}

function preparePredictors(data: TrainingData, target: number, candidates: Int32Array): GrowingPredictor[] {
  let classes: { classes: Uint8Array; g: number } | null = null
  return Array.from(candidates, (column) => {
    const shape = data.columns[column]!
    const { bins, binCount, upper } = data.bins[column]!
    if (bins) {
      const ordered = shape.kind === 'numeric'
      const kept = { groups: null, upper: ordered ? upper : null }
      return { column, score: null, bins, binCount, ordered, missing: shape.missing, ...kept }
    }
    classes ??= targetClasses(data, target)
    const codes = data.codes[column]!
    const groups = groupLevels(codes, shape.codeCount, classes.classes, classes.g, MAX_BINS / 2)
    const groupOfRow = new Uint8Array(codes.length)
    let last = 0
    for (let i = 0; i < codes.length; i++) {
      const group = groups[codes[i]!]!
      groupOfRow[i] = group
      if (group > last) last = group
    }
    const grouped = { bins: groupOfRow, binCount: last + 1, groups }
    return { column, score: null, ...grouped, ordered: true, missing: 0, upper: null }
  })
}

function scorePredictors(data: TrainingData, scores: readonly Score[]): GrowingPredictor[] {
  return scores.map((score) => ({
    column: -1,
    score,
    bins: scoreBins(score, data),
    binCount: score.cuts.length + 1,
    ordered: true,
    missing: 0,
    groups: null,
    upper: null,
  }))
}

/** Classes of the target over the whole table. */
function targetClasses(data: TrainingData, target: number): { classes: Uint8Array; g: number } {
  const { kind, codeCount: k, missing } = data.columns[target]!
  const codes = data.codes[target]!
  const counts = new Int32Array(k)
  const present = new Int32Array(k)
  let presentCount = 0
  for (let i = 0; i < codes.length; i++) if (counts[codes[i]!]!++ === 0) present[presentCount++] = codes[i]!
  const classOf = new Uint8Array(Math.max(k, MAX_CLASSES))
  const g =
    kind === 'numeric'
      ? orderedClasses(counts, k, codes.length, missing, classOf)
      : levelClasses(counts, k, present, presentCount, classOf)
  const classes = new Uint8Array(codes.length)
  for (let i = 0; i < codes.length; i++) classes[i] = classOf[codes[i]!]!
  return { classes, g }
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

function pack(
  tree: Growing,
  target: number,
  candidates: Int32Array,
  predictors: readonly GrowingPredictor[],
  codes: Uint16Array,
  rows: Int32Array,
): Tree {
  const m = tree.nodes
  const used = [...new Set(tree.feature.subarray(0, m))].filter((f) => f >= 0).sort((a, b) => a - b)
  const feature = sharedInt16(m)
  const nodeInts = [tree.test, tree.left, tree.parent, tree.start, tree.end].map((source) => {
    const copy = sharedInt32(m)
    copy.set(source.subarray(0, m))
    return copy
  }) as [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array]
  const [test, left, parent, start, end] = nodeInts
  const treeCodes = sharedUint16(rows.length)
  for (let i = 0; i < rows.length; i++) treeCodes[i] = codes[rows[i]!]!
  for (let node = 0; node < m; node++) {
    feature[node] = used.indexOf(tree.feature[node]!)
    if (feature[node]! < 0) treeCodes.subarray(start[node]!, end[node]!).sort()
  }
  const columns = used.filter((f) => predictors[f]!.score === null)
  const scores = used
    .slice(columns.length)
    .map((f, s) => withUsedCuts(predictors[f]!.score!, feature, columns.length + s, test))
  return {
    target,
    predictors: share(Int32Array.from(columns, (f) => predictors[f]!.column)),
    scores,
    candidates: share(candidates),
    groups: columns.map((f) => {
      const { groups } = predictors[f]!
      return groups && share(groups)
    }),
    feature,
    test,
    left,
    parent,
    masks: share(Uint32Array.from(tree.masks)),
    start,
    end,
    codes: treeCodes,
  }
}

/** Leaves out the cuts that no node compares with, and numbers the others anew in `test`. */
function withUsedCuts(score: Score, feature: Int16Array, index: number, test: Int32Array): Score {
  const used = new Set<number>()
  for (let node = 0; node < feature.length; node++) if (feature[node] === index) used.add(test[node]!)
  const cuts = [...used].sort((a, b) => a - b)
  for (let node = 0; node < feature.length; node++) if (feature[node] === index) test[node] = cuts.indexOf(test[node]!)
  return { ...score, cuts: share(Float64Array.from(cuts, (cut) => score.cuts[cut]!)) }
}
