import type { CleaningSummary, SchemaColumn, TrainingSummary } from '../../contract/datasets.ts'
import type { NaturalQuantiles } from '../../contract/natural-quantiles.ts'
import type { DesignCounts, SurveyDesign } from '../../contract/survey-design.ts'
import type { CleaningReport } from '../../engine/cleaning/cleaning-report.ts'
import type { RuleReport } from '../../engine/cleaning/kept-rules.ts'
import type { NaturalFigures } from '../../engine/cleaning/natural-figures.ts'
import { cut } from '../../engine/cleaning/quoted-text.ts'
import type { SchemaEntry } from '../../engine/cleaning/schema-entry.ts'
import { roundedEffectiveRows } from '../../engine/disclosure/rounded-counts.ts'
import type { DerivedColumn, KeptRelation } from '../../engine/model/describe.ts'

/** Largest complete summary. Thousands of questions as headers make 2 MB; anything larger was made large on purpose. */
const MAX_SUMMARY_BYTES = 4 * 2 ** 20
/** Largest list of training's findings. */
const MAX_LIST_BYTES = 2 ** 20

/** The cleaning report in the contract's form. If it would be very long, every text is cut to 100 characters. */
export function cleaningSummary(report: CleaningReport, options: SummaryOptions): CleaningSummary {
  const whole = wholeSummary(report, options)
  const text = JSON.stringify(whole)
  if (Buffer.byteLength(text) <= MAX_SUMMARY_BYTES) return whole
  return JSON.parse(text, (_key, value: unknown) => (typeof value === 'string' ? cut(value) : value)) as CleaningSummary
}

/** Further sheets are only counted. */
const MAX_OTHER_SHEETS = 20

export interface SummaryOptions {
  /** Whether answers that few people gave are named or only counted. */
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
    ...(report.sheet && { sheet: readSheet(report.sheet) }),
  }
}

function readSheet({ name, others }: NonNullable<CleaningReport['sheet']>): NonNullable<CleaningSummary['sheet']> {
  const omitted = others.length - MAX_OTHER_SHEETS
  return { name, others: others.slice(0, MAX_OTHER_SHEETS), ...(omitted > 0 && { others_omitted: omitted }) }
}

function rareValues(values: readonly string[], omitted: number, areNamed: boolean) {
  return areNamed ? { named: [...values], omitted } : { named: [], omitted: omitted + values.length }
}

const MAX_DERIVED_COLUMNS = 200

/** The derived columns that training found, in the contract's form; empty if there are none. */
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

/** Confirms that the model was trained with weights; empty if it was not asked for. */
export function weightingSummary(
  column: string | null,
  effectiveRows: number | null,
): Pick<TrainingSummary, 'weight_column' | 'effective_rows'> {
  if (column === null || effectiveRows === null) return {}
  return { weight_column: column, effective_rows: roundedEffectiveRows(effectiveRows) }
}

/** Confirms that the model knows how its rows were drawn; empty if the upload did not say. */
export function designSummary(
  design: SurveyDesign | null,
  counts: DesignCounts | null,
): Pick<TrainingSummary, 'design' | 'design_counts'> {
  return design === null || counts === null ? {} : { design, design_counts: counts }
}

/** Confirms the rules that the file says; empty if it says none. */
export function rulesSummary(rules: readonly RuleReport[]): Pick<TrainingSummary, 'rules'> {
  if (rules.length === 0) return {}
  return {
    rules: rules.map(({ rule, columns, gone }) => ({
      rule,
      columns: [...columns],
      ...(gone.length > 0 && { gone: [...gone] }),
    })),
  }
}

const MAX_RELATIONS = 200

/** The relations that training found, in the contract's form; empty if there are none. */
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

/** The first entries of a list, within its limits of count and bytes. */
function firstThatFit<T>(items: readonly T[], most: number): readonly T[] {
  let bytes = 0
  const past = items.findIndex((item, i) => {
    bytes += Buffer.byteLength(JSON.stringify(item))
    return i >= most || bytes > MAX_LIST_BYTES
  })
  return past < 0 ? items : items.slice(0, past)
}

/** A column of the cleaned schema, in the contract's form. */
export function schemaColumn(entry: SchemaEntry, figures: NaturalFigures | null = null): SchemaColumn {
  const rest = {
    source_name: entry.sourceName,
    ...(entry.label !== undefined && { label: entry.label }),
    missing_share: entry.missingShare,
  }
  if (entry.type === 'categorical') {
    return {
      name: entry.name,
      type: 'categorical',
      levels: [...entry.levels],
      ...(figures !== null && 'levelShares' in figures && { level_shares: [...figures.levelShares] }),
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
    ...(figures !== null && 'quantiles' in figures && { quantiles: namedQuantiles(figures.quantiles) }),
    ...rest,
  }
}

/** The quantiles that are released, by their keys in the contract. */
function namedQuantiles(values: readonly (number | string | null)[]): NaturalQuantiles {
  const keys = ['q05', 'q25', 'q50', 'q75', 'q95'] as const
  return Object.fromEntries(keys.flatMap((key, i) => (values[i] == null ? [] : [[key, values[i]]])))
}
