import { manifestColumns } from '../../answers/counts/natural-columns.ts'
import { packageVersion } from '../../base/package-version.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { ModelQuality } from '../../records/manifest/model-quality.ts'
import type { DataSheet } from '../../report/html/page/data-sheet.ts'
import type { InspectedDataset } from '../../runner/datasets/inspect-dataset.ts'
import { cleaningLines } from './inspection-text.ts'

/** An inspected dataset as a data sheet holds it. */
export function sheetOf({ dataset, schema }: InspectedDataset, title: string): DataSheet {
  const { cleaning_summary: cleaning, training_summary: training } = dataset
  const natural = manifestColumns(schema, new Set(schema.map(({ name }) => name))) ?? {}
  return {
    title,
    datasetId: dataset.dataset_id,
    columns: schema.map((column) => ({
      name: column.name,
      column: Object.hasOwn(natural, column.name) ? natural[column.name]! : null,
      missing: column.missing_share ?? null,
      range: rangeOf(column),
    })),
    cleaning: cleaning === undefined ? null : { ...cleaning, lines: cleaningLines(cleaning) },
    // As the reply gave it: JSON has no field that is undefined.
    quality: (training?.quality as ModelQuality | undefined) ?? null,
    qualityNote: training?.quality_note ?? null,
    tool: packageVersion(),
  }
}

const rangeOf = ({ levels, min, max }: AnySchemaColumn): string | null =>
  levels !== undefined || min === undefined || max === undefined ? null : `${min} to ${max}`
