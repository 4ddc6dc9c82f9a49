/** What a share in a comparison is a share of. */

import { cleanedName } from './cleaned-name.ts'
import { membersOf } from './replicates.ts'
import type { Comparison, Study } from './study.ts'

/**
 * `all` rows, or the rows that have an answer (`valid`, the valid per cent of SPSS). A comparison may say it. Otherwise it is
 * `naturalBase`.
 */
export function percentageBase(study: Study, { base, against }: Comparison, column: string): 'all' | 'valid' {
  if (base !== null) return base
  const dataset = study.scenarios.find(({ id }) => id === membersOf(study, against)[0])?.dataset
  return dataset === undefined ? 'all' : naturalBase(study, dataset, column)
}

/**
 * `valid` for columns whose codes for no answer the study declares: whoever declares them does not count them as answers. `all` for
 * others.
 *
 * @param dataset Its name in the study.
 */
export function naturalBase(study: Study, dataset: string, column: string): 'all' | 'valid' {
  const source = study.datasets.get(dataset)
  if (source?.kind !== 'file') return 'all'
  const declared = Object.keys(source.declarations?.missing ?? {})
  return declared.some((name) => name === '*' || name === column || cleanedName(name) === column) ? 'valid' : 'all'
}
