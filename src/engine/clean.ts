import { cleanNames, makeUnique } from './cleaning/clean-names.ts'
import type { CleaningReport, DroppedColumn, DroppedLevels } from './cleaning/cleaning-report.ts'
import { kindOf } from './cleaning/column-kind.ts'
import { cannotModel, type Drop, dropColumn, MAX_LEVELS } from './cleaning/drop-rules.ts'
import { type Levels, levelsOf, rareLevelThreshold } from './cleaning/levels.ts'
import { type SchemaEntry, schemaEntry } from './cleaning/schema-entry.ts'
import { UntrainableError } from './cleaning/untrainable-error.ts'
import type { RawColumn, RawTable } from './raw-table.ts'
import type { Table, TableColumn } from './table.ts'

export interface CleanOptions {
  /** False: names stay, rare levels stay, and nothing is dropped but what cannot be modelled at all. */
  readonly autoClean: boolean
}

export interface CleanedTable {
  readonly table: Table
  /** In the order of `table.columns`. */
  readonly schema: readonly SchemaEntry[]
  readonly report: CleaningReport
}

/** Fewer rows than this are not enough to learn from. */
export const MIN_CLEAN_ROWS = 50

interface KeptColumn {
  readonly raw: RawColumn
  /** Null for numeric columns. */
  readonly levels: Levels | null
}

/**
 * Makes a table fit to be modelled: decides what kind each column is, drops what carries no information, names the rest, and
 * turns rare levels into missing. Every decision rests on counts of the whole seed, not on the rows held.
 *
 * @throws {UntrainableError} with fewer than 50 rows, or with no column left; its message says what was dropped and why.
 */
export function cleanTable(raw: RawTable, options: CleanOptions): CleanedTable {
  const { rowCount } = raw
  const droppedColumns: DroppedColumn[] = (raw.skippedColumns ?? []).map(({ name, detail }) => ({
    name,
    reason: 'unmodelled',
    detail,
  }))
  const kept: KeptColumn[] = []
  for (const column of raw.columns) {
    const threshold = options.autoClean ? rareLevelThreshold(rowCount) : 1
    const levels = kindOf(column) === 'categorical' ? levelsOf(column, rowCount, threshold, MAX_LEVELS) : null
    const drop =
      (options.autoClean ? dropColumn(column, levels, rowCount) : null) ?? cannotModel(column, levels, rowCount)
    if (drop === null) kept.push({ raw: column, levels })
    else droppedColumns.push(named(column, drop))
  }

  const sourceNames = kept.map(({ raw: column }) => column.name)
  const names = options.autoClean ? cleanNames(sourceNames) : makeUnique(sourceNames)
  const columns = kept.map((column, i) => tableColumn(column, names[i]!, rowCount))
  const report: CleaningReport = {
    inputRows: rowCount + raw.droppedRows.empty + raw.droppedRows.repeatedHeader,
    inputColumns: raw.columns.length + (raw.skippedColumns ?? []).length,
    cleanRows: rowCount,
    cleanColumns: columns.length,
    droppedColumns,
    renamedColumns: columns
      .filter((column) => column.name !== column.sourceName)
      .map((column) => ({ from: column.sourceName, to: column.name })),
    droppedLevels: kept.flatMap(({ levels }, i) => droppedLevels(levels, names[i]!)),
    droppedRows: raw.droppedRows,
    notes: raw.notes,
  }
  refuseTooLittle(report)
  return { table: { rowCount: raw.sampleRows, seedRows: rowCount, columns }, schema: columns.map(schemaEntry), report }
}

function named(column: RawColumn, drop: Drop): DroppedColumn {
  return { name: column.name, reason: drop.reason, detail: drop.detail }
}

function tableColumn({ raw, levels }: KeptColumn, name: string, rowCount: number): TableColumn {
  const missing = raw.missing + (levels?.droppedRows ?? 0)
  const base = { name, sourceName: raw.name, missingShare: missing / rowCount }
  if ('codes' in raw) {
    return { ...base, kind: 'categorical', levels: levels!.kept, codes: levels!.codes, integer: false }
  }
  if (levels !== null) return { ...base, kind: 'categorical', levels: levels.kept, codes: levels.codes, integer: true }
  return {
    ...base,
    kind: 'numeric',
    format: raw.type === 'number' ? null : raw.type,
    values: raw.values,
    valid: raw.valid,
    integer: raw.type === 'number' && raw.decimals === 0,
    decimals: raw.decimals,
    min: raw.min,
    max: raw.max,
  }
}

function droppedLevels(levels: Levels | null, column: string): DroppedLevels[] {
  if (levels === null || levels.droppedRows === 0) return []
  return [{ column, levels: levels.dropped, levelsOmitted: levels.droppedOmitted, rows: levels.droppedRows }]
}

function refuseTooLittle(report: CleaningReport): void {
  const dropped = report.droppedColumns.map(
    ({ name, reason, detail }) => `"${name}" (${reason.replaceAll('_', ' ')}: ${detail.replace(/\.$/, '')})`,
  )
  const shown = dropped.slice(0, 10).join(', ') + (dropped.length > 10 ? ` and ${dropped.length - 10} more` : '')
  if (report.cleanColumns === 0) {
    throw new UntrainableError(`Nothing is left to learn from: every column was dropped: ${shown}.`, report)
  }
  if (report.cleanRows >= MIN_CLEAN_ROWS) return
  const { empty, repeatedHeader } = report.droppedRows
  const rows = [
    ...(empty > 0 ? [`${empty} empty`] : []),
    ...(repeatedHeader > 0 ? [`${repeatedHeader} that repeated the header`] : []),
  ]
  throw new UntrainableError(
    `The table has ${report.cleanRows} rows; at least ${MIN_CLEAN_ROWS} are needed.` +
      (rows.length > 0 ? ` Rows left out: ${rows.join(', ')}.` : '') +
      (dropped.length > 0 ? ` Columns dropped: ${shown}.` : ''),
    report,
  )
}
