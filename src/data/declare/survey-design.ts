/** The design that a study declares: its columns checked, and strata and clusters as numbers without meaning. */

import type { RawColumn, RawNumberColumn } from '../../base/raw-table.ts'
import { replicateScale } from '../../base/replicate-scale.ts'
import { countText, plural } from '../../base/text/amount-text.ts'
import { matchesGlob } from '../../base/text/match-glob.ts'
import type { Declarations, DeclaredReplicates } from '../../study/declarations.ts'
import { type Findings, quoted, rowsText } from './declaration-error.ts'
import { ofNumbers, rowsOf } from './raw-values.ts'

/** A service takes no more. */
const MAX_REPLICATES = 1_000

/** Replicate weights whose mean is this many times the weight's, or its inverse, are no weights of the same rows. */
const FAR = 2

/**
 * The columns with those of strata and clusters as codes 0, 1, 2 … in the sequence of their first rows: what a service needs
 * is which rows belong together, not where they live.
 */
export function withDesign(
  columns: readonly RawColumn[],
  { design, weight }: Declarations,
  findings: Findings,
): readonly RawColumn[] {
  if (design === undefined) return columns
  const named = (name: string | undefined) => columns.find((column) => column.name === name)
  const [strata, clusters] = [named(design.strata), named(design.clusters)]
  const areWhole = [strata, clusters].map((column) => column === undefined || isWhole(column, findings))
  if (areWhole.includes(false)) return columns
  const coded = new Map([strata, clusters].flatMap((column) => (column ? [[column, asCodes(column)] as const] : [])))
  if (coded.size > 0) reportGroups(strata && coded.get(strata)!, clusters && coded.get(clusters)!, findings)
  if (design.replicateWeights !== undefined) {
    const { replicateWeights } = design
    const replicates = columns.filter(({ name }) => name !== weight && matchesGlob(replicateWeights.columns, name))
    checkReplicates(replicates, replicateWeights, named(weight), findings)
  }
  return columns.map((column) => coded.get(column) ?? column)
}

function isWhole(column: RawColumn, { faults, dropped }: Findings): boolean {
  if (dropped.has(column.name)) {
    faults.push({ key: 'design', column: column.name, found: DROPPED, advice: KEEP })
    return false
  }
  const missing: number[] = []
  for (let row = 0; row < rowsOf(column); row++) if (isMissing(column, row)) missing.push(row)
  if (missing.length === 0) return true
  const found = `no value is in ${rowsText(missing, 'row')}`
  const advice = 'every row was drawn in some stratum and cluster: complete them in the file, or leave these rows out'
  faults.push({ key: 'design', column: column.name, found, advice })
  return false
}

const isMissing = (column: RawColumn, row: number): boolean =>
  'codes' in column ? column.codes[row]! < 0 : column.valid[row] === 0

/** Without label and order, which say what the codes mean. */
function asCodes(column: RawColumn): RawNumberColumn {
  const values = 'codes' in column ? column.codes : column.values
  const known = new Map<number, number>()
  const codes = new Float64Array(values.length)
  for (let row = 0; row < codes.length; row++) {
    const value = values[row]!
    let code = known.get(value)
    if (code === undefined) {
      code = known.size
      known.set(value, code)
    }
    codes[row] = code
  }
  return ofNumbers({ name: column.name }, 'number', codes)
}

function reportGroups(
  strata: RawNumberColumn | undefined,
  clusters: RawNumberColumn | undefined,
  { faults, remarks }: Findings,
): void {
  const counts = clustersOfStrata(strata, clusters)
  const clusterCount = counts.reduce((sum, count) => sum + count, 0)
  const lonely = counts.filter((count) => count === 1).length
  const { name } = (clusters ?? strata)!
  if (clusterCount < 2) {
    const advice = 'standard errors need at least two clusters; name another column'
    faults.push({ key: 'design', column: name, found: 'all rows are one cluster', advice })
    return
  }
  if (lonely === counts.length) {
    const advice = 'standard errors need two clusters in at least one stratum; name another column'
    faults.push({ key: 'design', column: name, found: 'each stratum has a single cluster', advice })
    return
  }
  const parts = [
    ...(strata ? [`${plural(counts.length, 'stratum', 'strata')} of column ${quoted(strata.name)}`] : []),
    ...(clusters ? [`${plural(clusterCount, 'cluster')} of column ${quoted(clusters.name)}`] : []),
  ]
  remarks.push({
    key: 'design',
    text: `The rows were drawn in ${parts.join(' and ')}. Only numbers are sent for them, not the values of the file.`,
  })
  if (lonely > 0) remarks.push({ key: 'design', text: `${plural(lonely, 'stratum has', 'strata have')} ${LONELY}` })
}

const LONELY =
  'a single cluster. Such a stratum is centred at the mean of all clusters, as "adjust" of R’s survey package.'

/** Clusters of each stratum, or of all rows; without a column of clusters each row is one. */
function clustersOfStrata(strata: RawNumberColumn | undefined, clusters: RawNumberColumn | undefined): number[] {
  const seen: Set<number>[] = []
  for (let row = 0; row < rowsOf((strata ?? clusters)!); row++) {
    const stratum = strata === undefined ? 0 : strata.values[row]!
    seen[stratum] ??= new Set()
    seen[stratum].add(clusters === undefined ? row : clusters.values[row]!)
  }
  return seen.map((numbers) => numbers.size)
}

function checkReplicates(
  columns: readonly RawColumn[],
  declared: DeclaredReplicates,
  weight: RawColumn | undefined,
  { faults, remarks, dropped }: Findings,
): void {
  const fault: Fault = (column, found, advice) => {
    faults.push({ key: 'design', column, found, advice })
  }
  const { columns: pattern, rscales } = declared
  const count = columns.length
  if (count < 2) {
    const advice = 'write a pattern such as "rw*", with * for any text'
    return fault(
      pattern,
      `the pattern names ${plural(count, 'column')} of replicate weights, and needs at least 2`,
      advice,
    )
  }
  if (count > MAX_REPLICATES) {
    const advice = 'name fewer columns'
    return fault(
      pattern,
      `the pattern names ${countText(count)} columns, more than ${countText(MAX_REPLICATES)}`,
      advice,
    )
  }
  if (rscales !== undefined && rscales.length !== count) {
    const found = `the pattern names ${countText(count)} columns, and \`rscales\` has ${plural(rscales.length, 'number')}`
    return fault(pattern, found, 'write one for each column, in their sequence in the file')
  }
  const before = faults.length
  for (const column of columns) checkReplicate(column, dropped, fault)
  // A faulty weight has a fault of its own.
  if (faults.length > before || weight === undefined || !isNumbers(weight) || !(meanOf(weight) > 0)) return
  const mean = columns.reduce((sum, column) => sum + (isNumbers(column) ? meanOf(column) : 0), 0) / count
  const ratio = mean / meanOf(weight)
  if (ratio > FAR || ratio < 1 / FAR) {
    const found = `the replicate weights are ${short(ratio)} times the weight on average`
    const advice = 'they are read as weights, not as factors of the weight: multiply them by it in the file'
    return fault(pattern, found, advice)
  }
  const { scale } = replicateScale(declared, count)
  const [first, last] = [columns[0]!.name, columns[count - 1]!.name].map(quoted)
  remarks.push({
    key: 'design',
    text: `${countText(count)} replicate weights from ${first} to ${last}, type ${declared.type}, scale ${short(scale)}.`,
  })
}

type Fault = (column: string, found: string, advice: string | null) => void

function checkReplicate(column: RawColumn, dropped: ReadonlySet<string>, fault: Fault): void {
  const { name } = column
  if (dropped.has(name)) return fault(name, DROPPED, KEEP)
  if (!isNumbers(column)) {
    const advice = 'write a pattern that leaves it out'
    return fault(name, 'a replicate weight is a number, and the column holds other values', advice)
  }
  const missing: number[] = []
  const negative: number[] = []
  for (let row = 0; row < rowsOf(column); row++) {
    if (column.valid[row] === 0) missing.push(row)
    else if (column.values[row]! < 0) negative.push(row)
  }
  if (missing.length > 0) {
    fault(name, `no replicate weight is in ${rowsText(missing, 'row')}`, 'write 0 for rows that a replicate leaves out')
  } else if (negative.length > 0) {
    fault(name, `a replicate weight is not negative: ${rowsText(negative, 'value')}`, null)
  } else if (column.max === 0) fault(name, 'no row has a replicate weight above 0', null)
}

const DROPPED = 'the study drops the column'
const KEEP = 'take it out of `drop`'

const isNumbers = (column: RawColumn): column is RawNumberColumn => 'values' in column && column.type === 'number'

function meanOf({ values }: RawNumberColumn): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

const short = (value: number): string => String(Number(value.toPrecision(3)))
