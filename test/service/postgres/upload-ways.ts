import {
  insertUpload,
  openUploads,
  readParts,
  readUpload,
  recordPart,
  removeUploads,
  useUpload,
} from '../../../src/service/records/upload-records.ts'
import type { Database } from '../../../src/service/store/database.ts'

/** Two uploads: one becomes a dataset, one is ended by others. */
export async function wayOfUpload(on: Database): Promise<void> {
  const nowMs = Date.now()
  const times = { nowMs, expiresMs: nowMs + 60_000 }
  await openUploads(on, 'ten_2')
  for (const name of ['a', 'b']) {
    const id = `upl_${name}`
    const file = { sha256: name, bytes: 1, part_bytes: 1 }
    await insertUpload(on, { upload_id: id, tenant_id: 'ten_2', ...file, ...times })
    await readUpload(on, 'ten_2', id, nowMs)
    for (const blob of ['parts/1', 'parts/2'])
      await on.transaction(async (tx) => await recordPart(tx, { uploadId: id, number: 1, blob, nowMs }))
    await readParts(on, id)
  }
  await on.transaction(async (tx) => await useUpload(tx, 'upl_a', 'ds_1', nowMs))
  await on.transaction(async (tx) => await removeUploads(tx, ['upl_b'], nowMs))
}
