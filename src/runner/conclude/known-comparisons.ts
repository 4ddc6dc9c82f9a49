import type { ComparedSide } from '../../answers/comparisons/compared-sides.ts'
import { compareScenarios } from '../../answers/comparisons/comparisons.ts'
import { sequenceOf, withOutcomes } from '../../answers/counts/natural-columns.ts'
import { hasRows } from '../../answers/manifest/scenario-statuses.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { ManifestComparison } from '../../records/manifest/comparisons.ts'
import type { GenerationRecord } from '../../records/state/generations.ts'
import { membersOf } from '../../study/replicates.ts'
import type { Comparison } from '../../study/study.ts'
import { knownEstimates, knownSegments } from '../estimates/estimate-questions.ts'
import type { KnownStudy } from '../estimates/known-study.ts'

/** The manifest's entries for the comparisons of a study, by what is known now. */
export function knownComparisons(known: KnownStudy): Record<string, ManifestComparison> {
  const compared = compareScenarios(
    known.study,
    sidesOf(known),
    (comparison, scenario) => knownEstimates(known, comparison, scenario),
    (comparison, scenario) => ({
      estimates: knownSegments(known, comparison, scenario),
      order: segmentOrder(known, comparison),
    }),
  )
  return withOutcomes(known.study, compared, (name) => schemaOf(known, name))
}

/** Levels of the column that divides a comparison, in the sequence of the data. */
function segmentOrder(known: KnownStudy, { by, against }: Comparison): readonly string[] {
  const column = schemaOf(known, against).find(({ name }) => name === by)
  return column === undefined ? [] : sequenceOf(column)
}

/** The cleaned columns of a scenario's data, by its name in comparisons. */
function schemaOf({ study, scenarios, datasets }: KnownStudy, name: string): readonly AnySchemaColumn[] {
  const scenario = scenarios.get(membersOf(study, name)[0] ?? name)
  return (scenario && datasets.get(scenario.dataset)?.schema) ?? []
}

function sidesOf({ standings, schemas, planned }: KnownStudy): Map<string, ComparedSide> {
  return new Map(
    [...standings].map(([id, { status, record }]) => {
      const isDone = hasRows(status)
      return [
        id,
        {
          measured: isDone ? (record?.artifact?.measured ?? null) : null,
          datasetId: record?.datasetId ?? null,
          modelId: record?.model?.id ?? null,
          schema: (record?.datasetId != null && schemas.get(record.datasetId)) || null,
          effectiveRows: evidenceRows(record),
          selected: planned.get(id)?.selected ?? true,
        },
      ]
    }),
  )
}

/** Null as well for a value that is not a number of rows, because nothing can be bounded by it. */
function evidenceRows(record: GenerationRecord | null): number | null {
  const rows = record?.evidence?.effective_rows ?? 0
  return rows >= 1 ? rows : null
}
