import type { OperatorArtifact } from '../../contract/operator.ts'
import type { ServiceContext } from '../context/context.ts'
import { removeGeneration } from '../records/generation-records.ts'
import type { Queryable } from '../store/database.ts'
import { utcText } from '../store/timestamps.ts'

const COLUMNS = `generation_id, tenant_id, dataset_id, output_format, rows_generated, artifact_bytes as bytes,
  ${utcText('created_at')} as created_at, ${utcText('expires_at')} as expires_at`

/** Where a page begins: after this artifact. */
export interface ArtifactPosition {
  readonly bytes: number
  readonly generationId: string
}

/**
 * Artifacts of all tenants or of one, largest first. Those that wait for the sweeper are included, because they take
 * space.
 */
export async function listArtifacts(
  db: Queryable,
  page: { readonly tenantId: string | null; readonly after: ArtifactPosition | null; readonly limit: number },
): Promise<{ readonly artifacts: readonly OperatorArtifact[]; readonly next: ArtifactPosition | null }> {
  const parameters: unknown[] = [page.limit + 1]
  const parameter = (value: unknown): string => `$${parameters.push(value)}`
  const conditions = ['artifact_blob is not null']
  if (page.tenantId !== null) conditions.push(`tenant_id = ${parameter(page.tenantId)}`)
  if (page.after !== null) {
    const { bytes, generationId } = page.after
    conditions.push(`(artifact_bytes, generation_id) < (${parameter(bytes)}::bigint, ${parameter(generationId)}::text)`)
  }
  const rows = await db.query<OperatorArtifact>(
    `select ${COLUMNS} from generations where ${conditions.join(' and ')}
     order by artifact_bytes desc, generation_id desc limit $1`,
    parameters,
  )
  const artifacts = rows.slice(0, page.limit)
  const last = artifacts.at(-1)
  const isMore = rows.length > page.limit && last !== undefined
  return { artifacts, next: isMore ? { bytes: last.bytes, generationId: last.generation_id } : null }
}

/**
 * Removes an artifact with its generation, for the operator. For the tenant this looks as if its retention had ended;
 * its rows stay billed. Returns the removed artifact; null if there is none.
 */
export async function removeArtifact(context: ServiceContext, generationId: string): Promise<OperatorArtifact | null> {
  const db = context.db.forRemoval
  const removed = await db.transaction(async (tx) => {
    const [row] = await tx.query<OperatorArtifact & { artifact_blob: string }>(
      `select ${COLUMNS}, artifact_blob from generations where generation_id = $1 and artifact_blob is not null
       for update`,
      [generationId],
    )
    if (row === undefined) return null
    await removeGeneration(tx, row, context.now())
    return row
  })
  if (removed === null) return null
  context.remover?.soon()
  const { artifact_blob: _blob, ...artifact } = removed
  return artifact
}
