import { whereText } from '../answers/words/where-text.ts'
import type { RecordedEstimates } from '../records/state/estimates.ts'
import type { CountedRows } from '../runner/estimates/asked-dataset.ts'
import type { CountedIn } from './wire/messages.ts'

/** Rows as a service is asked for them, and as they are told; undefined: all. */
export function countedRows(where: CountedIn): CountedRows | undefined {
  if (where.length === 0) return undefined
  const categorical = where.flatMap(({ column, levels }) =>
    levels === undefined ? [] : [[column, [...levels]] as [string, string[]]],
  )
  const numeric = where.flatMap(({ column, levels, min, max }) =>
    levels === undefined
      ? [[column, { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }] as const]
      : [],
  )
  return {
    asked: {
      ...(categorical.length > 0 && { categorical: Object.fromEntries(categorical) }),
      ...(numeric.length > 0 && { numeric: Object.fromEntries(numeric) }),
    },
    told: where.map(({ levels, ...filter }) => ({ ...filter, ...(levels !== undefined && { levels: [...levels] }) })),
  }
}

/** The rows in a sentence, with those of the seed behind the estimates; null: all rows. */
export function countedInText(where: CountedIn, found: readonly RecordedEstimates[]): string | null {
  const bases = Object.fromEntries(
    found.flatMap((estimates) =>
      estimates.bases.map(
        ([column, { scenario, against }]) => [column, { scenario: told(scenario), against: told(against) }] as const,
      ),
    ),
  )
  return whereText({ where: [...where], scenarios: { explored: { bases } } })
}

const told = ({ rows }: { readonly rows: number | null }) => ({ ...(rows !== null && { rows }) })
