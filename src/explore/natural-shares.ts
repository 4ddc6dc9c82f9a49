import { ServiceError } from '../client/service-error.ts'
import type { AnySchemaColumn } from '../contract/datasets.ts'
import { MAX_ESTIMATE_OUTCOMES } from '../contract/limits.ts'
import type { Explored } from './explored.ts'

/**
 * The schema with the shares of rare levels, which no reader of a schema is told, but the owner of the data who asks for them is. Those
 * that the service does not tell stay unknown.
 */
export async function withNaturalShares({
  schema,
  datasetId,
  client,
  call,
}: Pick<Explored, 'schema' | 'datasetId' | 'client' | 'call'>): Promise<readonly AnySchemaColumn[]> {
  const unknown = schema.filter(({ levels, level_shares: shares }) =>
    levels?.some((_, i) => typeof shares?.[i] !== 'number'),
  )
  const shareOf = new Map<string, ReadonlyMap<string, number>>()
  for (let at = 0; at < unknown.length; at += MAX_ESTIMATE_OUTCOMES) {
    const outcomes = unknown
      .slice(at, at + MAX_ESTIMATE_OUTCOMES)
      .map(({ name }) => ({ column: name, base: 'valid' as const }))
    const reply = await client
      .estimateDifferences({ datasetId, request: { scenario: {}, outcomes } }, call())
      .catch((error: unknown) => {
        if (error instanceof ServiceError) return null
        throw error
      })
    for (const { column, levels = [] } of reply?.value.outcomes ?? [])
      shareOf.set(column, new Map(levels.map(({ level, baseline }) => [level, baseline])))
  }
  return schema.map((column) => {
    const known = shareOf.get(column.name)
    if (known === undefined || column.levels === undefined) return column
    const shares = column.levels.map((level, i) => column.level_shares?.[i] ?? known.get(level) ?? null)
    return { ...column, level_shares: shares }
  })
}
