import type { TrainingSummary } from '../../contract/datasets.ts'
import type { TrainingQuality } from '../../contract/training-quality.ts'
import type { Table } from '../../engine/cleaning/table.ts'
import { type Disclosure, roundedCount } from '../../engine/disclosure/rounded-counts.ts'
import { type MeasureOptions, MIN_MEASURED_ROWS, measureQuality } from '../../engine/measure-quality.ts'
import type {
  DifferenceSlopes,
  Estimate,
  ItemBlock,
  Propensity,
  Quality,
  RareNumbers,
} from '../../engine/quality/quality.ts'

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
  options: MeasureOptions & { readonly disclosure: Disclosure },
): Promise<QualitySummary> {
  if (!isWanted) return unmeasured('This service does not measure quality.')
  try {
    const quality = await measureQuality(table, options)
    if (quality === null) {
      return unmeasured(
        `The table has ${table.rowCount} rows; at least ${MIN_MEASURED_ROWS} are needed to hold some out.`,
      )
    }
    return { quality: inWords(quality, table.rowCount, options.disclosure) }
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

function inWords(quality: Quality, modelRows: number, disclosure: Disclosure): TrainingQuality {
  const { columnShapes, worstColumns, pairs, twoSampleTest, copies, rareNumbers, nearestRows } = quality
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
    ...(rareNumbers !== null && { rare_numbers: rareNumbersInWords(rareNumbers, disclosure) }),
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

/** Both are counts of rows with what few rows of the seed have: few of either name people. */
function rareNumbersInWords({ columns, synthetic, training }: RareNumbers, disclosure: Disclosure) {
  const [rows, reference] = [synthetic, training].map((count) => (disclosure === 'exact' ? count : roundedCount(count)))
  return { columns, ...(rows != null && { rows }), ...(reference != null && { reference }) }
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
