import { describe, expect, it } from 'vitest'
import { BucketObjects } from '../../src/objects/bucket-objects.ts'
import { hasRadosGateway, startRadosGateway } from '../service/storage/rados-gateway.ts'
import { describeStateBucket } from './state-bucket-cases.ts'

const ARN = 'arn:aws:s3:::team-state'
const Principal = { AWS: ['arn:aws:iam:::user/guest'] }

if (hasRadosGateway())
  describeStateBucket("a state in a bucket of Ceph's RADOS Gateway", async () => {
    const { owner, guest: branch, allow, close } = await startRadosGateway()
    const objects = new BucketObjects(owner)
    const names = Array.from({ length: 1_203 }, (_, i) => `many/${String(i).padStart(6, '0')}`)
    for (let i = 0; i < names.length; i += 20)
      await Promise.all(names.slice(i, i + 20).map((key) => objects.write(key, 'x')))
    // More than a page.
    expect(await objects.list('many/')).toEqual(names)
    await objects.close()
    await allow([
      { Effect: 'Allow', Principal, Action: ['s3:ListBucket'], Resource: [ARN] },
      {
        Effect: 'Allow',
        Principal,
        Action: ['s3:GetObject'],
        Resource: [`${ARN}/studies/main/*`, `${ARN}/studies/pr-1/*`],
      },
      {
        Effect: 'Allow',
        Principal,
        Action: ['s3:PutObject', 's3:DeleteObject'],
        Resource: [`${ARN}/studies/pr-1/*`],
      },
    ])
    return { owner, branch, close }
  })
else
  describe("a state in a bucket of Ceph's RADOS Gateway", () => {
    it.skip('needs the packages radosgw, ceph-mon, ceph-osd and ceph-common')
  })
