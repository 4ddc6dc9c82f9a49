/** The columns of the survey design that an upload names: taken out of the table that was read, and checked. */

import type { RawColumn, RawTable } from '../../base/raw-table.ts'
import { replicateScale } from '../../base/replicate-scale.ts'
import { countText } from '../../base/text/amount-text.ts'
import { matchesGlob } from '../../base/text/match-glob.ts'
import { MAX_REPLICATE_COLUMNS } from '../../contract/limits.ts'
import type { DesignCounts, SurveyDesign as SentDesign } from '../../contract/survey-design.ts'
import { quoted } from '../../engine/cleaning/quoted-text.ts'
import {
  designCounts,
  type ReplicateWeights,
  type SurveyDesign,
  surveyDesign,
} from '../../engine/weighting/survey-design.ts'
import { NameSearch } from '../http/nearest-names.ts'
import { JobFailedError } from '../jobs/processes/job-failed-error.ts'

export interface DesignedTable {
  /** Without the columns of the design. */
  readonly raw: RawTable
  readonly design: { readonly names: readonly string[]; readonly value: SurveyDesign }
  readonly counts: DesignCounts
}

/**
 * @param raw without the column of weights.
 * @param weights of the rows held; null where all count alike.
 * @throws {JobFailedError} `svc_untrainable_dataset` when a column is not there, or does not say how the rows were drawn.
 */
export function takeDesignColumns(raw: RawTable, sent: SentDesign, weights: Float64Array | null): DesignedTable {
  const strata = sent.strata === undefined ? null : groupColumn(raw, sent.strata, 'strata')
  const clusters = sent.clusters === undefined ? null : groupColumn(raw, sent.clusters, 'clusters')
  const replicates = sent.replicate_weights === undefined ? null : replicateColumns(raw, sent.replicate_weights)
  const taken = [strata, clusters, ...(replicates?.columns ?? [])].filter((column) => column !== null)
  const value = surveyDesign(
    {
      strata: strata && codesOf(strata),
      clusters: clusters && codesOf(clusters),
      replicates: replicates?.replicates ?? null,
    },
    weights,
  )
  const counts = designCounts(value, raw.sampleRows)
  refuseSingle(counts)
  const left = new Set<RawColumn>(taken)
  return {
    raw: { ...raw, columns: raw.columns.filter((column) => !left.has(column)) },
    design: { names: taken.map(({ name }) => name), value },
    counts: {
      strata: counts.strata,
      clusters: counts.clusters,
      lonely_strata: counts.lonelyStrata,
      replicates: counts.replicates,
    },
  }
}

function groupColumn(raw: RawTable, name: string, what: 'strata' | 'clusters'): RawColumn {
  const column = raw.columns.find((one) => one.name === name)
  if (column === undefined) throw refused(missingColumn(raw, name, what))
  if (column.missing === 0) return column
  throw refused(
    `The column of ${what} ${quoted(name)} has no value in ${countText(column.missing)} of ${countText(raw.rowCount)} rows. Every row needs one.`,
  )
}

function missingColumn(raw: RawTable, name: string, what: string): string {
  const skipped = raw.skippedColumns?.find((one) => one.name === name)
  if (skipped !== undefined) return `The column of ${what} ${quoted(name)} was not read: ${skipped.detail}`
  const likely = new NameSearch().likely(
    name,
    raw.columns.map((one) => one.name),
  )
  const advice = likely === null ? 'Send its name as it is in the header.' : `Did you mean ${quoted(likely)}?`
  return `The file has no column ${quoted(name)} to take ${what} from. ${advice}`
}

/** A number for each row: equal numbers for equal values. */
const codesOf = (column: RawColumn): ArrayLike<number> => ('codes' in column ? column.codes : column.values)

function replicateColumns(
  raw: RawTable,
  sent: NonNullable<SentDesign['replicate_weights']>,
): { readonly columns: readonly RawColumn[]; readonly replicates: ReplicateWeights } {
  const columns = raw.columns.filter(({ name }) => matchesGlob(sent.columns, name))
  const pattern = `The pattern ${quoted(sent.columns)} of replicate weights`
  if (columns.length < 2 || columns.length > MAX_REPLICATE_COLUMNS) {
    throw refused(
      `${pattern} names ${columns.length} columns of the file. From 2 to ${countText(MAX_REPLICATE_COLUMNS)} are needed.`,
    )
  }
  if (sent.rscales !== undefined && sent.rscales.length !== columns.length) {
    throw refused(`${pattern} names ${columns.length} columns, and \`rscales\` has ${sent.rscales.length} numbers.`)
  }
  const weights = columns.map((column) => replicateWeights(column, raw.rowCount))
  return { columns, replicates: { weights, ...replicateScale(sent, columns.length) } }
}

function replicateWeights(column: RawColumn, rowCount: number): Float64Array {
  const said = `The replicate weight ${quoted(column.name)}`
  if ('codes' in column || column.type !== 'number') throw refused(`${said} must hold numbers.`)
  if (column.missing > 0) {
    throw refused(
      `${said} has no number in ${countText(column.missing)} of ${countText(rowCount)} rows. Every row needs one; 0 leaves a row out.`,
    )
  }
  if (column.min < 0) throw refused(`${said} is negative in some rows. A weight is 0 or more.`)
  if (!(column.max > 0)) throw refused(`${said} is 0 in all rows.`)
  return column.values
}

/** Without a second cluster nothing says how far samples differ. */
function refuseSingle({ strata, clusters, replicates }: ReturnType<typeof designCounts>): void {
  if (replicates > 0 || clusters > strata) return
  throw refused(
    clusters < 2
      ? 'The rows have one cluster. At least two are needed to tell how far samples differ.'
      : 'Each stratum has a single cluster. At least one stratum needs two to tell how far samples differ.',
  )
}

function refused(detail: string): JobFailedError {
  return new JobFailedError('svc_untrainable_dataset', detail)
}
