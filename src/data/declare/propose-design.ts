/** The survey design that the names and values of a file suggest, for a starter study. */

import type { RawColumn, RawNumberColumn } from '../../base/raw-table.ts'
import { countText, plural } from '../../base/text/amount-text.ts'
import { matchesGlob } from '../../base/text/match-glob.ts'
import type { ProposedDeclaration } from '../../study/writing/starter-study.ts'
import { writtenName } from '../../study/writing/written-name.ts'

const STRATA_NAME = /(?:^|[^a-z])(?:strat(?:um|a|e|es)?|estratos?|schicht(?:en)?|sdmvstra)\d*(?:$|[^a-z])/i
const CLUSTER_NAME = /(?:^|[^a-z])(?:psu(?:id)?|clusters?|upm|conglomerados?|grappes?|klumpen|sdmvpsu)\d*(?:$|[^a-z])/i
/** What stands before the number of a replicate. */
const REPLICATE_STEM =
  /(?:^|[^a-z])(?:rep|repl|replicate|repw|repwt|repwts|repwtp|repwgt|repweight|rw|brr|bsw|bsrw|jk|jkw|w fstr|w fsturwt|p?wgtp)[^a-z]*(?:w|wt|wts|wgt|weights?)?[^a-z]*$/i

/** Fewer numbered columns are waves or items. */
const LEAST_REPLICATES = 8

export interface ProposedDesign {
  readonly proposal: ProposedDeclaration
  /** The columns that it names. */
  readonly columns: ReadonlySet<string>
}

/** The numbered columns of a file that look like its replicate weights, in its sequence. */
export function replicateGroup(
  columns: readonly RawColumn[],
  textOf: (name: string) => string,
): readonly RawNumberColumn[] {
  const groups = new Map<string, RawNumberColumn[]>()
  for (const column of columns) {
    const stem = /^(.*\D)\d{1,4}$/.exec(column.name)?.[1]
    if (stem === undefined || !isWeights(column) || !REPLICATE_STEM.test(textOf(stem).replaceAll('_', ' '))) continue
    groups.set(stem, [...(groups.get(stem) ?? []), column])
  }
  return [...groups.values()].find((group) => group.length >= LEAST_REPLICATES) ?? []
}

const isWeights = (column: RawColumn): column is RawNumberColumn =>
  'values' in column && column.type === 'number' && column.missing === 0 && column.min >= 0 && column.max > 0

/** @param textOf a name as words are looked for in it. */
export function proposeDesign(
  columns: readonly RawColumn[],
  weight: RawNumberColumn | undefined,
  textOf: (name: string) => string,
): ProposedDesign | null {
  const replicates = replicateGroup(columns, textOf)
  if (replicates.length > 0) return weight === undefined ? null : ofReplicates(columns, replicates, weight)
  const strata = columns.find((column) => STRATA_NAME.test(textOf(column.name)) && isGroups(column))
  const clusters = columns.find(
    (column) => column !== strata && CLUSTER_NAME.test(textOf(column.name)) && isGroups(column),
  )
  const named = [
    ['strata', strata],
    ['clusters', clusters],
  ] as const
  const parts = named.flatMap(([key, column]) => (column ? [{ key, column }] : []))
  if (parts.length === 0) return null
  const yaml = `design: { ${parts.map(({ key, column }) => `${key}: ${writtenName(column.name)}`).join(', ')} }`
  const counts = parts.map(({ key, column }) => `${countText(column.distinct)} ${key}`).join(' and ')
  return {
    proposal: {
      yaml,
      reason: `how the rows were drawn, by the names of the columns: ${counts}; standard errors use it`,
    },
    columns: new Set(parts.map(({ column }) => column.name)),
  }
}

/** Values that several rows share, one in each row. */
function isGroups(column: RawColumn): boolean {
  const rows = 'codes' in column ? column.codes.length : column.values.length
  const isWhole = 'codes' in column || (column.type === 'number' && column.decimals === 0)
  return isWhole && column.missing === 0 && column.distinct >= 2 && column.distinct < rows
}

function ofReplicates(
  columns: readonly RawColumn[],
  replicates: readonly RawNumberColumn[],
  weight: RawNumberColumn,
): ProposedDesign | null {
  const pattern = `${replicates[0]!.name.replace(/\d+$/, '')}*`
  const matched = columns.filter((column) => column !== weight && matchesGlob(pattern, column.name))
  if (matched.length !== replicates.length) return null
  const { words, why } = typeOf(replicates, weight)
  return {
    proposal: {
      yaml: `design: { replicate_weights: { columns: "${pattern}", type: ${words} } }`,
      reason: `${plural(replicates.length, 'replicate weight')} by their names; ${why}`,
    },
    columns: new Set(replicates.map(({ name }) => name)),
  }
}

const UNKNOWN = 'brr, fay, jackknife or bootstrap: the survey’s documentation says which'

/** The factors of the weight that a method has, where no later adjustment has blurred them. */
function typeOf(replicates: readonly RawNumberColumn[], weight: RawNumberColumn) {
  const factors = new Set<number>()
  for (const { values } of replicates) {
    for (let row = 0; row < values.length && factors.size < 3; row++) {
      if (weight.values[row]! > 0) factors.add(Math.round((1e4 * values[row]!) / weight.values[row]!) / 1e4)
    }
  }
  const [low = 0, high = 0] = [...factors].sort((a, b) => a - b)
  const shown = `they are the weight times ${low} and ${high}`
  if (factors.size === 2 && Math.abs(low + high - 2) < 1e-3) {
    return low === 0 ? { words: 'brr', why: shown } : { words: `fay, rho: ${low}`, why: shown }
  }
  const left = replicates.length / (replicates.length - 1)
  if (factors.size === 2 && low === 0 && Math.abs(high - left) < 1e-3) return { words: 'jackknife', why: shown }
  return { words: 'brr', why: `the type may be ${UNKNOWN}` }
}
