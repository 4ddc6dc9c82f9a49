import type { DatasetFacts } from '../../records/state/datasets.ts'
import { scenariosAdrift } from '../../study/lock/check-drift.ts'
import type { Study } from '../../study/study.ts'
import { cleanedSchema } from '../session/dataset-records.ts'

/** Scenarios with conditions that name what their trained dataset does not have: a service would refuse the request. */
export function conditionsAdrift(study: Study, facts: ReadonlyMap<string, DatasetFacts>): ReadonlySet<string> {
  return new Set(
    [...facts].flatMap(([name, known]) => [...scenariosAdrift(study, name, cleanedSchema(known, '')).keys()]),
  )
}
