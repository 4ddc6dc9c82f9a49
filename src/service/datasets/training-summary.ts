import type { CleaningSummary, SchemaColumn, TrainingSummary } from '../../contract/datasets.ts'
import type { NaturalQuantiles } from '../../contract/natural-quantiles.ts'
import type { DesignCounts, SurveyDesign } from '../../contract/survey-design.ts'
import type { TrainingQuality } from '../../contract/training-quality.ts'
import type { CleaningReport } from '../../engine/cleaning/cleaning-report.ts'
import type { NaturalFigures } from '../../engine/cleaning/natural-figures.ts'
import { cut } from '../../engine/cleaning/quoted-text.ts'
import type { SchemaEntry } from '../../engine/cleaning/schema-entry.ts'
import type { Table } from '../../engine/cleaning/table.ts'
import { roundedEffectiveRows } from '../../engine/disclosure/rounded-counts.ts'
import { type MeasureOptions, MIN_MEASURED_ROWS, measureQuality } from '../../engine/measure-quality.ts'
import type { DerivedColumn, KeptRelation } from '../../engine/model/describe.ts'
import type { DifferenceSlopes, Estimate, ItemBlock, Propensity, Quality } from '../../engine/quality/quality.ts'

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
  }
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

/** The quality part of a training's summary, or why quality is not known. */
export type QualitySummary = Pick<TrainingSummary, 'quality' | 'quality_note'>

/**
 * Measures quality, in the contract's form. An error during measuring is reported in the result: a missing report must
 * not cost the model.
 *
 * @throws the signal's reason when aborted.
 */
export async function qualitySummary(
  table: Table,
  isWanted: boolean,
  options: MeasureOptions,
): Promise<QualitySummary> {
  if (!isWanted) return unmeasured('This service does not measure quality.')
  try {
    const quality = await measureQuality(table, options)
    if (quality === null) {
      return unmeasured(
        `The table has ${table.rowCount} rows; at least ${MIN_MEASURED_ROWS} are needed to hold some out.`,
      )
    }
    return { quality: inWords(quality, table.rowCount) }
  } catch (error) {
    options.signal?.throwIfAborted()
    return unmeasured(
      `Measuring failed (${error instanceof Error ? error.name : 'unknown error'}); the model is complete.`,
    )
  }
}

function unmeasured(why: string): QualitySummary {
  return { quality: null, quality_note: why }
}

function inWords(quality: Quality, modelRows: number): TrainingQuality {
  const { columnShapes, worstColumns, pairs, twoSampleTest, copies, nearestRows } = quality
  return {
    training_rows: quality.trainingRows,
    held_out_rows: quality.heldOutRows,
    synthetic_rows: quality.syntheticRows,
    ...(columnShapes !== null && {
      column_shapes: {
        mean: rounded(columnShapes.synthetic),
        reference: rounded(columnShapes.training),
        worst: worstColumns.map(({ column, synthetic, training }) => ({
          column,
          score: rounded(synthetic),
          reference: rounded(training),
        })),
      },
    }),
    ...(pairs !== null && {
      pairs: { mean: rounded(pairs.synthetic), reference: rounded(pairs.training), measured: pairs.pairs },
    }),
    c2st: {
      auc: rounded(twoSampleTest.auc),
      chance: rounded(twoSampleTest.chance),
      detectable: rounded(twoSampleTest.detectable),
      rows: twoSampleTest.rows,
    },
    copies: { share: rounded(copies.synthetic), reference: rounded(copies.heldOut) },
    dcr: {
      nearer_training: rounded(nearestRows.nearerTraining),
      chance: rounded(nearestRows.chance),
      of_copies: rounded(nearestRows.ofCopies),
      rows: nearestRows.rows,
    },
    ...structure(quality),
    membership: {
      queries: quality.membership.queries,
      model_rows: modelRows,
      at: quality.membership.attacks.map(({ multiple, auc, chance, identified, identifiedChance }) => ({
        rows_per_row: multiple,
        auc: rounded(auc),
        chance: rounded(chance),
        told: rounded(identified),
        told_chance: rounded(identifiedChance),
      })),
    },
  }
}

/** How strong the relations between columns are, as far as the data show. */
function structure({ correlations, itemBlocks, differences, propensity }: Quality): Partial<TrainingQuality> {
  const missing = Object.entries({
    correlations,
    item_blocks: itemBlocks,
    differences,
    pmse: propensity,
  }).flatMap(([figure, measured]) => ('unmeasured' in measured ? [{ figure, reason: measured.unmeasured }] : []))
  return {
    ...('unmeasured' in correlations ? {} : { correlations: { ...slopeOf(correlations), pairs: correlations.pairs } }),
    ...('unmeasured' in itemBlocks ? {} : { item_blocks: itemBlocks.map(blockInWords) }),
    ...('unmeasured' in differences ? {} : { differences: differencesInWords(differences) }),
    ...('unmeasured' in propensity ? {} : { pmse: propensityInWords(propensity) }),
    ...(missing.length > 0 && { not_measured: missing }),
  }
}

function slopeOf({ value, low, high }: Estimate) {
  return { slope: rounded(value), low: rounded(low), high: rounded(high) }
}

function blockInWords({ first, last, items, synthetic, training, value, low, high }: ItemBlock) {
  const ratio = { ratio: rounded(value), low: rounded(low), high: rounded(high) }
  return { column: first, last, items, eigenvalue: rounded(synthetic), reference: rounded(training), ...ratio }
}

function differencesInWords({ outcomes, median, lowest, ...all }: DifferenceSlopes) {
  return {
    ...slopeOf(all),
    outcomes,
    ...(median !== null && { median: slopeOf(median) }),
    lowest: lowest.map(({ column, ...slope }) => ({ column, ...slopeOf(slope) })),
  }
}

function propensityInWords({ pmse, expected, deviation, parameters }: Propensity) {
  return {
    value: Number(pmse.toPrecision(4)),
    expected: Number(expected.toPrecision(4)),
    ratio: rounded(pmse / expected),
    standardized: rounded((pmse - expected) / deviation),
    parameters,
  }
}

/** More digits would be noise. */
function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4
}
