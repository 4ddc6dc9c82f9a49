import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedSchemas } from '../../../src/service/datasets/stored-schemas.ts'
import type { Database } from '../../../src/service/store/database.ts'
import { type DataService, startDataService, TENANT_A, TENANT_B } from '../data/data-service.ts'

const SCHEMA = [{ name: 'c', type: 'categorical', levels: ['é'] }]

let service: DataService
beforeAll(async () => {
  service = await startDataService({ work: false })
  await insertReady(TENANT_A, 'ds_A1')
  await insertReady(TENANT_A, 'ds_A2')
  await insertReady(TENANT_B, 'ds_B')
})
afterAll(async () => await service?.close())

async function insertReady(tenantId: string, datasetId: string): Promise<void> {
  await service.db.query(
    `insert into datasets (dataset_id, tenant_id, job_id, status, auto_clean, request_id, seed_bytes, seed_sha256,
       created_at, expires_at, model_blob, schema)
     values ($1, $2, 'job_x', 'ready', true, 'req_x', 1, 'x', now(), now() + interval '1 day', 'models/x', $3::json)`,
    [datasetId, tenantId, JSON.stringify(SCHEMA)],
  )
}

/** A database that records whose schemas are requested, and answers on request. */
function heldDatabase(): { readonly db: Database; readonly asked: string[]; release(): void } {
  const asked: string[] = []
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const db = new Proxy(service.db, {
    get: (target, name: keyof Database) => {
      if (name !== 'query') return target[name]
      return async (sql: string, parameters: readonly unknown[]) => {
        asked.push(String(parameters[0]))
        await released
        return await target.query(sql, parameters)
      }
    },
  })
  return { db, asked, release: () => release() }
}

describe('the schemas that a process remembers', () => {
  it('are given to their own tenant only', async () => {
    const schemas = storedSchemas(service.db)
    const own = await schemas.read(TENANT_A, 'ds_A1')
    expect(await own?.columns()).toEqual(SCHEMA)
    expect(JSON.parse(String(own?.bytes))).toEqual(SCHEMA)
    expect(await schemas.read(TENANT_B, 'ds_A1')).toBeNull()
    expect(await schemas.read(TENANT_A, 'ds_A1')).toBe(own)
  })

  it('are read one after the other for each tenant, and no tenant waits for another', async () => {
    const { db, asked, release } = heldDatabase()
    const schemas = storedSchemas(db)
    const reads = [
      schemas.read(TENANT_A, 'ds_A1'),
      schemas.read(TENANT_A, 'ds_A2'),
      schemas.read(TENANT_A, 'ds_A2'),
      schemas.read(TENANT_B, 'ds_B'),
    ]
    await expect.poll(() => asked).toEqual(['ds_A1', 'ds_B'])
    release()
    const [, second, same] = await Promise.all(reads)
    expect(second).toBe(same)
    expect(asked).toEqual(['ds_A1', 'ds_B', 'ds_A2'])
  })

  it('are read again after a failed read', async () => {
    let isDown = true
    const db = new Proxy(service.db, {
      get: (target, name: keyof Database) => {
        if (name !== 'query') return target[name]
        return async (sql: string, parameters: readonly unknown[]) => {
          if (isDown) throw new Error('down')
          return await target.query(sql, parameters)
        }
      },
    })
    const schemas = storedSchemas(db)
    const failed = await Promise.allSettled([schemas.read(TENANT_A, 'ds_A1'), schemas.read(TENANT_A, 'ds_A2')])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isDown = false
    expect(await (await schemas.read(TENANT_A, 'ds_A1'))?.columns()).toEqual(SCHEMA)
  })
})
