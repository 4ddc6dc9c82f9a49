import { createSecretKey, randomBytes } from 'node:crypto'
import { type ClaimGround, claimCredentials } from '../../../src/service/access/claim-tokens.ts'
import { beginAction, endAction } from '../../../src/service/access/operator-actions.ts'
import { rotateCredentials } from '../../../src/service/access/rotations.ts'
import { claimTokenForOperator, decideSignup, requestAccess } from '../../../src/service/access/signups.ts'
import { verifyClient } from '../../../src/service/access/token-request.ts'
import type { ServiceContext } from '../../../src/service/context/context.ts'
import { storedSchemas } from '../../../src/service/datasets/stored-schemas.ts'
import { readCachedModel, recordCachedModel } from '../../../src/service/records/cached-models.ts'
import {
  insertDataset,
  lockDataset,
  markReady,
  readDatasetOfJob,
  readSummaries,
  removeDataset,
  shareDataset,
  type TrainedDataset,
} from '../../../src/service/records/dataset-records.ts'
import {
  insertGeneration,
  markFailed,
  markFinished,
  readGenerationOfJob,
  removeGeneration,
} from '../../../src/service/records/generation-records.ts'
import {
  dropHeldKey,
  holdKey,
  type KeyScope,
  renewKey,
  useFreeKey,
  useHeldKey,
} from '../../../src/service/records/idempotency-keys.ts'
import { beginJob, endAttempt, insertJob, postponeJob, returnJob } from '../../../src/service/records/job-records.ts'
import { keepBlob, markPending, orphanPending } from '../../../src/service/records/orphaned-blobs.ts'
import { storeSchema } from '../../../src/service/records/schema-records.ts'
import { PIECE_BYTES } from '../../../src/service/records/schema-text.ts'
import { readLeftToStore } from '../../../src/service/records/tenant-limits.ts'
import { sweep } from '../../../src/service/retention/retention-sweeper.ts'
import type { Database, Transaction } from '../../../src/service/store/database.ts'

/** Sends all statements of requests and jobs to a database, from their beginning to their end. */

const TENANT = 'ten_2'
const HOUR_MS = 60 * 60_000
const KEEPING = { requestId: 'req', nowMs: 1, expiresMs: Date.now() + HOUR_MS } as const
const upload: KeyScope = { tenantId: TENANT, operation: 'createDataset', key: 'of-a-way' }
const order: KeyScope = { tenantId: TENANT, operation: 'createGeneration', key: 'of-a-way' }

export function contextOf(db: Database, now = Date.now): ServiceContext {
  return { db, now } as ServiceContext
}

export async function wayOfClient(db: Database): Promise<void> {
  const ground: ClaimGround = { db, keys: { sealing: createSecretKey(randomBytes(32)) }, now: Date.now }
  const asked = { companyName: 'C', contactEmail: 'way@example.com', address: '127.0.0.1', claims: 'status' } as const
  const request = await requestAccess(ground, asked)
  if (request === 'full') throw new Error('no request was possible')
  const { requestId } = request
  const decided = await decideSignup(ground, requestId, { status: 'approved', tenantId: null })
  await requestAccess(ground, asked)
  const clientId = (decided as { signup: { client_id: string } }).signup.client_id
  const token = await claimTokenForOperator(ground, clientId)
  await claimCredentials(ground, token?.text ?? '', '127.0.0.1')
  const client = await verifyClient(db, clientId, 'wrong')
  const [{ tenant_id: tenantId } = { tenant_id: '' }] = await db.query<{ tenant_id: string }>(
    'select tenant_id from clients where client_id = $1',
    [client?.identity.clientId ?? clientId],
  )
  for (const _time of ['first', 'again']) await rotateCredentials(ground, { clientId, tenantId }, 'key')
}

export async function wayOfDataset(db: Database): Promise<void> {
  const place = { datasetId: 'ds_way', jobId: 'job_way_ds', tenantId: TENANT }
  await holdKey(db, upload, { holder: 'h', leaseUntilMs: Date.now() + HOUR_MS, nowMs: Date.now() })
  await renewKey(db, upload, 'h', Date.now() + HOUR_MS)
  await readLeftToStore(db, TENANT, { tenantBytes: 1, artifactBytes: 1 }, { lock: true })
  for (const blob of ['seeds/way', 'models/way', 'orders/way']) await markPending(db, blob, Date.now())
  await db.transaction(async (tx) => {
    await useHeldKey(tx, upload, { holder: 'h', resourceId: place.datasetId, fingerprint: 'f' })
    await keepBlob(tx, 'seeds/way')
    const seed = { seedBlob: 'seeds/way', seedBytes: 1, seedSha256: 'x' }
    await insertDataset(tx, {
      ...KEEPING,
      ...place,
      ...seed,
      displayName: null,
      autoClean: true,
      weightColumn: null,
      design: null,
    })
    await insertJob(tx, { ...place, kind: 'training', generationId: null, nowMs: 1, traceParent: null })
  })
  const attempt = await beginJob(db, place.jobId, { nowMs: Date.now(), deadlineMs: HOUR_MS })
  const large = Buffer.from(`["${'x'.repeat(PIECE_BYTES)}"]`)
  const schema = await storeSchema(db, place.datasetId, 1, large)
  await db.transaction(async (tx) => {
    await lockDataset(tx, place.datasetId)
    await endAttempt(tx, attempt ?? { job_id: '', attempts: 0 }, { status: 'completed', error: null, nowMs: 1 })
    await keepBlob(tx, 'models/way')
    const trained = { modelBlob: 'models/way', modelBytes: 1, schema } as Partial<TrainedDataset>
    await markReady(tx, { dataset_id: place.datasetId, seed_blob: 'seeds/way' }, trained as TrainedDataset, 1)
  })
  await readSummaries(db, [place.datasetId])
  await storedSchemas(db).read(place.tenantId, place.datasetId)
  const kept = { datasetId: place.datasetId, modelBlob: 'models/way', columnsKey: 'key' }
  await db.transaction(
    async (tx) => await recordCachedModel(tx, kept, { blob: 'orders/way', bytes: 1, replaced: null }, 1),
  )
  await readCachedModel(db, kept, Date.now())
  await db.transaction(async (tx) => {
    const row = await readDatasetOfJob(tx, place.datasetId)
    if (row !== null) await removeDataset(tx, row, Date.now())
  })
}

export async function wayOfGeneration(db: Database): Promise<void> {
  const owner = { tenantId: TENANT, datasetId: 'ds_1', rowCount: 10, seed: 1, outputFormat: 'csv' } as const
  const begin = async (tx: Transaction, name: string) => {
    const ids = { generationId: `gen_${name}`, jobId: `job_${name}` }
    await insertGeneration(tx, { ...KEEPING, ...owner, ...ids, conditions: { shares: [], ranges: [] } })
  }
  await db.transaction(async (tx) => {
    await shareDataset(tx, TENANT, 'ds_1', Date.now())
    await useFreeKey(tx, order, { resourceId: 'gen_way', fingerprint: 'f', nowMs: Date.now() })
    await begin(tx, 'way')
    await begin(tx, 'failed')
  })
  const row = await readGenerationOfJob(db, 'gen_way')
  await db.transaction(async (tx) => {
    if (row === null) throw new Error('The generation is not there.')
    const made = { artifact: { blob: 'artifacts/way', bytes: 1, sha256: 'x' }, modelId: 'm', engineVersion: '1' }
    await markFinished(tx, row, { ...made, rowsGenerated: 10, targets: [], shortfall: null, evidence: {} as never }, 1)
    await markFailed(tx, 'gen_failed', { error: { code: 'svc_internal', detail: 'd' } })
    await removeGeneration(tx, { generation_id: 'gen_way', artifact_blob: 'artifacts/way' }, Date.now())
  })
}

export async function putOff(db: Database): Promise<void> {
  const attempt = await beginJob(db, 'job_3000', { nowMs: Date.now(), deadlineMs: HOUR_MS })
  await postponeJob(db, 'job_3000')
  await returnJob(db, attempt ?? { job_id: 'job_3000', attempts: 0 })
}

export async function noteAction(db: Database): Promise<void> {
  const action = { action_id: 'act_way', operation: 'o', subject: null, parameters: {}, request_id: 'r', address: 'a' }
  await beginAction(db, { ...action, nowMs: Date.now() })
  await endAction(db, 'act_way', 200)
}

export async function breakOff(db: Database): Promise<void> {
  await dropHeldKey(db, upload, 'h')
  await orphanPending(db, 'seeds/1', Date.now())
}

/** The second sweep, an hour later, removes the records that the first one finds. */
export async function sweepExpired(db: Database): Promise<void> {
  await db.exec(`
    update datasets set expires_at = now() where dataset_id in ('ds_8', 'ds_9');
    update generations set expires_at = now() where generation_id in ('gen_8', 'gen_9');`)
  for (const hours of [0, 1.01]) await sweep(contextOf(db, () => Date.now() + hours * HOUR_MS))
}
