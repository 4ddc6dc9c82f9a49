import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedObjects } from '../../src/local/seed-objects.ts'
import { BucketObjects } from '../../src/objects/bucket-objects.ts'
import { hasRadosGateway, type RadosGateway, startRadosGateway } from '../service/storage/rados-gateway.ts'

const KEY = 'waves/2026/Welle 3 – März#1.csv'
const TEXT = 'id,region\n1,Nörd\n2,South\n'.repeat(20_000)
const SHA = createHash('sha256').update(TEXT).digest('hex')

const title = "a seed file in a bucket of Ceph's RADOS Gateway"
if (!hasRadosGateway())
  describe(title, () => {
    it.skip('needs the packages radosgw, ceph-mon, ceph-osd and ceph-common')
  })
else
  describe(title, () => {
    let gateway: RadosGateway
    let root: string

    beforeAll(async () => {
      gateway = await startRadosGateway()
      root = await mkdtemp(join(tmpdir(), 'whatif-seeds-'))
      const objects = new BucketObjects(gateway.owner)
      await objects.write(KEY, TEXT)
      await objects.close()
    }, 180_000)
    afterAll(async () => {
      await gateway?.close()
      await rm(root, { recursive: true, force: true })
    })

    const copyOf = async (key: string) => {
      const objects = seedObjects(root, (bucket) => ({ ...gateway.guest, bucket, prefix: '' }))
      const wanted = { bucket: gateway.guest.bucket, key: `${gateway.guest.prefix}${key}`, sha256: SHA }
      return await objects.copyOf(wanted, { signal: new AbortController().signal, onSize: () => {} })
    }

    it('is refused to credentials that may not read it', async () => {
      await expect(copyOf(KEY)).rejects.toMatchObject({ code: 'seed_object', reason: 'authentication' })
    })

    it('is read with the right to read objects alone', async () => {
      const Principal = { AWS: ['arn:aws:iam:::user/guest'] }
      const Resource = [`arn:aws:s3:::${gateway.guest.bucket}/studies/waves/*`]
      await gateway.allow([{ Effect: 'Allow', Principal, Action: ['s3:GetObject'], Resource }])
      const { path, bytes } = await copyOf(KEY)
      expect(bytes).toBe(Buffer.byteLength(TEXT))
      expect(await readFile(path, 'utf8')).toBe(TEXT)
    })
  })
