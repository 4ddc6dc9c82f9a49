import { listText } from '../base/text/amount-text.ts'
/**
 * Cleaning, whole: a table as a reader gave it becomes one that can be modelled, with a report of everything that was changed.
 *
 * N  clean rows of the whole seed (`rowCount`);  n  rows held, a sample of them (`sampleRows`)
 *
 * Source: the service's cleaning options (`auto_clean`) and `cleaning_summary`; cleaning/ has one file per decision.
 */

import { MIN_CLEAN_ROWS } from '../base/min-clean-rows.ts'
import type { RawColumn, RawTable } from '../base/raw-table.ts'
import { cutToBytes, isLonger } from '../base/text/fit-text.ts'
import { WhatifError } from '../base/whatif-error.ts'
import { cleaningNotes } from './cleaning/cleaning-notes.ts'
import {
  type CleaningReport,
  type DroppedColumn,
  type DroppedLevels,
  type DropReason,
  MAX_LISTED_LEVELS,
  MAX_LISTED_LEVELS_IN_ALL,
  type SplitColumn,
} from './cleaning/cleaning-report.ts'
import { withLabels } from './cleaning/column-labels.ts'
import { decideColumns, dividedColumns } from './cleaning/decide-columns.ts'
import type { KeptColumn, SplitDecision } from './cleaning/infer-column.ts'
import { keptRules, type RuleReport } from './cleaning/kept-rules.ts'
import { lostNumbers } from './cleaning/lost-numbers.ts'
import { formulasOf } from './cleaning/made-of-columns.ts'
import { cut } from './cleaning/quoted-text.ts'
import { type SchemaEntry, schemaEntry, withinSchemaBound } from './cleaning/schema-entry.ts'
import { mergeSingleChoice } from './cleaning/single-choice.ts'
import { MAX_NAME_BYTES } from './cleaning/size-bounds.ts'
import { dropSpelledOut } from './cleaning/spelled-out.ts'
import type { Table, TableColumn } from './cleaning/table.ts'
import { unevenSplits } from './cleaning/uneven-splits.ts'
import { unsplitAnswers } from './cleaning/unsplit-answers.ts'
import { noteUnticked } from './cleaning/unticked-rows.ts'
import { caseWeights } from './weighting/case-weights.ts'
import type { SurveyDesign } from './weighting/survey-design.ts'

export interface CleanOptions {
  /**
   * False: names and rare levels stay, nothing is split, and only columns that cannot be modelled at all are dropped.
   */
  readonly autoClean: boolean
  /** The column of case weights, taken out of the table: a weight for each row held, not negative and not all 0. */
  readonly weight?: { readonly name: string; readonly values: Float64Array } | null
  /** What the columns say about how the rows held were drawn; they are taken out of the table. */
  readonly design?: { readonly names: readonly string[]; readonly value: SurveyDesign } | null
}

export interface CleanedTable {
  readonly table: Table
  /** In the order of `table.columns`. */
  readonly schema: readonly SchemaEntry[]
  readonly report: CleaningReport
  /** In the sequence of the seed's rules. */
  readonly rules: readonly RuleReport[]
}

/** Code of a table that is too small after cleaning. */
export const UNTRAINABLE = 'untrainable_dataset'

/**
 * Prepares a table for modelling: infers each column's kind, drops columns without information, splits columns that
 * hold several answers, names the columns, and makes rare levels missing. Every decision uses counts of the whole seed,
 * not of the sampled rows, and counts people: weights change no decision.
 *
 * @throws WhatifError with `UNTRAINABLE` for fewer than 50 rows, or no column left; its message lists the dropped
 * columns and the reasons.
 */
export function cleanTable(read: RawTable, options: CleanOptions): CleanedTable {
  const raw = options.autoClean ? noteUnticked(mergeSingleChoice(dropSpelledOut(read))) : read
  const { rowCount } = raw
  const skipped = raw.skippedColumns ?? []
  const droppedColumns: DroppedColumn[] = skipped.map(({ name, detail }) => ({
    name: shortName(name),
    reason: 'unmodelled',
    detail,
  }))
  const { weight = null, design = null } = options
  const weights = weight === null ? undefined : caseWeights(weight.values)
  if (weight !== null) {
    const detail = 'It holds the weights of the rows: the model learns the weighted population.'
    droppedColumns.push({ name: shortName(weight.name), reason: 'case_weight', detail })
  }
  for (const name of design?.names ?? []) {
    const detail =
      'It says how the rows were drawn: standard errors use it, the model does not. Copy it under another name to model it too.'
    droppedColumns.push({ name: shortName(name), reason: 'survey_design', detail })
  }
  const keptColumns: KeptColumn[] = []
  const splits: SplitDecision[] = []
  const reasons = new Map<RawColumn, DropReason>()
  const decisions = decideColumns(raw, options.autoClean)
  for (const [at, source] of raw.columns.entries()) {
    const decision = decisions[at]!
    if (decision.as === 'dropped') {
      droppedColumns.push({ name: shortName(source.name), ...decision.drop })
      reasons.set(source, decision.drop.reason)
    } else if (decision.as === 'kept') keptColumns.push(decision.column)
    else {
      splits.push(decision)
      keptColumns.push(...decision.columns)
    }
  }

  const { kept, columns, schema, tooLarge } = withinSchemaBound(keptColumns, (candidates) => {
    const named = nameColumns(candidates, options)
    return {
      columns: named,
      schema: named.map((column, i) => schemaEntry(column, candidates[i]!.option?.text ?? null, weights)),
    }
  })
  droppedColumns.push(...tooLarge)
  const nameOf = new Map(kept.map((column, i) => [column, columns[i]!.name]))
  const whole = kept.filter(({ option }) => option === null)
  const labelled = withLabels(
    schema,
    kept.map(({ source }) => source),
  )
  const divided = dividedColumns(decisions)
  const uneven = [
    ...unevenSplits(raw.columns, divided),
    ...(options.autoClean ? unsplitAnswers(raw.columns, new Set(divided.map(({ source }) => source)), rowCount) : []),
  ]
  const thinned = new Set(whole.filter(({ levels }) => (levels?.droppedRows ?? 0) > 0).map(({ source }) => source))
  const lost = lostNumbers(raw.columns, reasons, thinned)
  const noted = { ...raw, notes: [...raw.notes, ...labelled.notes, ...uneven, ...lost] }
  const { notes, omitted } = cleaningNotes(noted, new Set(whole.map(({ source }) => source)))
  const report: CleaningReport = {
    inputRows: rowCount + raw.droppedRows.empty + raw.droppedRows.repeatedHeader,
    inputColumns: read.columns.length + skipped.length + (weight === null ? 0 : 1) + (design?.names.length ?? 0),
    cleanRows: rowCount,
    cleanColumns: columns.length,
    droppedColumns,
    renamedColumns: whole
      .map((column) => ({ from: column.source.name, to: nameOf.get(column)! }))
      .filter(({ from, to }) => from !== to),
    splitColumns: splits.map((split) => splitReport(split, nameOf)),
    droppedLevels: droppedLevels(kept, nameOf),
    droppedRows: raw.droppedRows,
    notes,
    notesOmitted: omitted,
    ...(raw.sheet && { sheet: raw.sheet }),
  }
  refuseTooLittle(report, raw.sheet)
  const formulas = formulasOf(kept, columns)
  const { rules, reports } = keptRules(raw.rules ?? [], kept, columns)
  const table = {
    rowCount: raw.sampleRows,
    seedRows: rowCount,
    columns,
    ...(formulas.length > 0 && { formulas }),
    ...(rules.length > 0 && { rules }),
    ...(weights && { weights }),
    ...(design && { design: design.value }),
  }
  return { table, schema: labelled.schema, report, rules: reports }
}

function nameColumns(kept: readonly KeptColumn[], { autoClean }: CleanOptions): TableColumn[] {
  const sourceNames = kept.map(({ source, option }) =>
    option === null ? source.name : `${source.name} ${option.text}`,
  )
  const names = autoClean ? cleanNames(sourceNames) : makeUnique(sourceNames)
  return kept.map(({ column }, i) => ({ name: names[i]!, ...column }))
}

/** The header of a dropped column in the report: whole unless it is too long for a name. */
function shortName(name: string): string {
  return isLonger(name, MAX_NAME_BYTES) ? cut(name) : name
}

function splitReport(
  { columns, separator, otherAnswers }: SplitDecision,
  nameOf: ReadonlyMap<KeptColumn, string>,
): SplitColumn {
  const listed = otherAnswers.slice(0, MAX_LISTED_LEVELS)
  return {
    from: columns[0]!.source.name,
    separator,
    into: columns.map((column) => ({
      name: nameOf.get(column)!,
      option: column.option!.text,
      rows: column.option!.rows,
    })),
    otherAnswers: listed.map(cut),
    otherAnswersOmitted: otherAnswers.length - listed.length,
  }
}

function droppedLevels(kept: readonly KeptColumn[], nameOf: ReadonlyMap<KeptColumn, string>): DroppedLevels[] {
  let left = MAX_LISTED_LEVELS_IN_ALL
  const dropped: DroppedLevels[] = []
  for (const column of kept) {
    const { levels } = column
    if (levels === null || levels.droppedRows === 0) continue
    const listed = levels.dropped.slice(0, left)
    left -= listed.length
    dropped.push({
      column: nameOf.get(column)!,
      levels: listed.map(cut),
      levelsOmitted: levels.droppedOmitted + levels.dropped.length - listed.length,
      rows: levels.droppedRows,
    })
  }
  return dropped
}

const untrainable = (message: string) => new WhatifError(UNTRAINABLE, message)

function refuseTooLittle(report: CleaningReport, sheet: RawTable['sheet']): void {
  const others = sheet?.others.map((name) => `"${cut(name)}"`) ?? []
  const place =
    sheet === undefined || others.length === 0
      ? ''
      : ` Sheet "${cut(sheet.name)}" was read, and not ${listText(others, 5)}; "sheet: NAME" or --sheet NAME chooses one.`
  const { empty, repeatedHeader } = report.droppedRows
  const rows = [
    ...(empty > 0 ? [`${empty} empty`] : []),
    ...(repeatedHeader > 0 ? [`${repeatedHeader} that repeated the header`] : []),
  ]
  // What was dropped of so few rows, and why, says nothing about the columns.
  if (report.cleanRows < MIN_CLEAN_ROWS) {
    throw untrainable(
      `The table has ${report.cleanRows} ${report.cleanRows === 1 ? 'row' : 'rows'}; at least ${MIN_CLEAN_ROWS} are needed.` +
        (rows.length > 0 ? ` Rows left out: ${rows.join(', ')}.` : '') +
        place,
    )
  }
  if (report.cleanColumns > 0) return
  // A file of one column is often no table, and its first line no name but a line of a letter, a key or a log.
  const isList = report.inputColumns === 1
  const dropped = report.droppedColumns.map(
    ({ name, reason, detail }) =>
      `${isList ? 'its only one' : `"${cut(name)}"`} (${reason.replaceAll('_', ' ')}: ${detail.replace(/\.$/, '')})`,
  )
  throw untrainable(`Nothing is left to learn from: every column was dropped: ${listText(dropped, 10)}.${place}`)
}

/**
 * Header and option together, or another spelling of the same letters, may be longer than a header; this leaves room
 * for a suffix.
 */
const LONGEST = MAX_NAME_BYTES - 24

/**
 * Names for the cleaned table: Unicode letters, digits and dots.
 *
 * Every run of other characters, underscores included, becomes one dot; outer dots are trimmed; a leading digit gets an
 * `X`; an empty result becomes `column.N` (N from 1, the position in the table); equal names get `.1`, `.2` in
 * sequence. No name is longer than 1 KiB.
 */
export function cleanNames(names: readonly string[]): string[] {
  return makeUnique(names.map((name, i) => cleanName(name) || `column.${i + 1}`))
}

function cleanName(name: string): string {
  const cleaned = name
    .normalize('NFC')
    // Marks belong to the letters they follow: without them names in Indic scripts would fall apart.
    .replace(/[^\p{L}\p{M}\p{Nd}.]+/gu, '.')
    .replace(/^\.+|\.+$/g, '')
  return cutToBytes(/^\p{Nd}/u.test(cleaned) ? `X${cleaned}` : cleaned, LONGEST)
}

/** Leaves the first of equal names as it is; a suffix never makes a name that another column has. */
export function makeUnique(names: readonly string[]): string[] {
  const all = new Set(names)
  const used = new Set<string>()
  return names.map((name) => {
    let unique = name
    for (let n = 1; used.has(unique) || (unique !== name && all.has(unique)); n++) unique = `${name}.${n}`
    used.add(unique)
    return unique
  })
}
