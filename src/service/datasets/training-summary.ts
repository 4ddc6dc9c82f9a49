import type { CleaningSummary, SchemaColumn, TrainingSummary } from '../../contract/datasets.ts'
import type { CleaningReport } from '../../engine/cleaning/cleaning-report.ts'
import { cut } from '../../engine/cleaning/figures.ts'
import type { SchemaEntry } from '../../engine/cleaning/schema-entry.ts'
import type { DerivedColumn, KeptRelation } from '../../engine/derivations/describe.ts'

/** Largest summary told whole. Thousands of questions as headers make 2 MB; what is beyond was made to be large. */
const MAX_SUMMARY_BYTES = 4 * 2 ** 20
/** Largest list of what training found. */
const MAX_LIST_BYTES = 2 ** 20

/** What cleaning did, in the contract's words: whole, or with every text cut to 100 characters where it would be very long. */
export function cleaningSummary(report: CleaningReport, options: SummaryOptions): CleaningSummary {
  const whole = wholeSummary(report, options)
  const text = JSON.stringify(whole)
  if (Buffer.byteLength(text) <= MAX_SUMMARY_BYTES) return whole
  return JSON.parse(text, (_key, value: unknown) => (typeof value === 'string' ? cut(value) : value)) as CleaningSummary
}

export interface SummaryOptions {
  /** Whether answers that few people gave are named, or only counted. */
  readonly namesRare: boolean
}

function wholeSummary(report: CleaningReport, { namesRare }: SummaryOptions): CleaningSummary {
  return {
    input_rows: report.inputRows,
    input_columns: report.inputColumns,
    clean_rows: report.cleanRows,
    clean_columns: report.cleanColumns,
    dropped_columns: report.droppedColumns.map(({ name, reason, detail }) => ({ name, reason, detail })),
    renamed_columns: report.renamedColumns.map(({ from, to }) => ({ from, to })),
    ...(report.splitColumns.length > 0 && {
      split_columns: report.splitColumns.map(({ from, separator, into, otherAnswers, otherAnswersOmitted }) => {
        const others = rareValues(otherAnswers, otherAnswersOmitted, namesRare)
        return {
          from,
          separator,
          into: into.map(({ name, option, rows }) => ({ name, option, rows })),
          ...(others.named.length > 0 && { other_answers: others.named }),
          ...(others.omitted > 0 && { other_answers_omitted: others.omitted }),
        }
      }),
    }),
    dropped_levels: report.droppedLevels.map(({ column, levels, levelsOmitted, rows }) => {
      const { named, omitted } = rareValues(levels, levelsOmitted, namesRare)
      return { column, levels: named, ...(omitted > 0 && { levels_omitted: omitted }), rows }
    }),
    dropped_rows: { empty: report.droppedRows.empty, repeated_header: report.droppedRows.repeatedHeader },
    notes: [...report.notes],
    ...(report.notesOmitted > 0 && { notes_omitted: report.notesOmitted }),
  }
}

function rareValues(values: readonly string[], omitted: number, areNamed: boolean) {
  return areNamed ? { named: [...values], omitted } : { named: [], omitted: omitted + values.length }
}

const MAX_DERIVED_COLUMNS = 200

/** What training found that other columns determine, in the contract's words; nothing where nothing was found. */
export function derivedColumnsSummary(
  derived: readonly DerivedColumn[],
): Pick<TrainingSummary, 'derived_columns' | 'derived_columns_omitted'> {
  if (derived.length === 0) return {}
  const listed = firstThatFit(derived, MAX_DERIVED_COLUMNS)
  const omitted = derived.length - listed.length
  return {
    derived_columns: listed.map(({ sources, ...rest }) => ({ ...rest, sources: [...sources] })),
    ...(omitted > 0 && { derived_columns_omitted: omitted }),
  }
}

const MAX_RELATIONS = 200

/** What training found to hold between columns, in the contract's words; nothing where nothing was found. */
export function relationsSummary(
  relations: readonly KeptRelation[],
): Pick<TrainingSummary, 'relations' | 'relations_omitted'> {
  if (relations.length === 0) return {}
  const listed = firstThatFit(relations, MAX_RELATIONS)
  const omitted = relations.length - listed.length
  return {
    relations: listed.map(({ columns, text, share }) => ({ columns: [...columns], relation: text, share })),
    ...(omitted > 0 && { relations_omitted: omitted }),
  }
}

/** The first of a list, at most so many and no more bytes than a list may have. */
function firstThatFit<T>(items: readonly T[], most: number): readonly T[] {
  let bytes = 0
  const past = items.findIndex((item, i) => {
    bytes += Buffer.byteLength(JSON.stringify(item))
    return i >= most || bytes > MAX_LIST_BYTES
  })
  return past < 0 ? items : items.slice(0, past)
}

/** A column of the cleaned schema, in the contract's words. */
export function schemaColumn(entry: SchemaEntry): SchemaColumn {
  const rest = { source_name: entry.sourceName, missing_share: entry.missingShare }
  if (entry.type === 'categorical') {
    return {
      name: entry.name,
      type: 'categorical',
      levels: [...entry.levels],
      ...(entry.ordered !== null && {
        ordered: { ...entry.ordered, levels: [...entry.ordered.levels], apart: [...entry.ordered.apart] },
      }),
      ...(entry.sourceOption !== null && { source_option: entry.sourceOption }),
      ...rest,
    }
  }
  return {
    name: entry.name,
    type: 'numeric',
    min: entry.min,
    max: entry.max,
    integer: entry.integer,
    ...(entry.format !== null && { format: entry.format }),
    ...rest,
  }
}
