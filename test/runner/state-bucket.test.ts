import { S3Server } from '../service/storage/s3-server.ts'
import { describeStateBucket } from './state-bucket-cases.ts'

describeStateBucket('a state in a bucket', async () => {
  const server = await S3Server.start()
  const branch = { ...server.storage, accessKeyId: 'BRANCH', secretAccessKey: 'branch-secret' }
  const known = (secretAccessKey = '') => ({ secretAccessKey, sessionToken: null })
  server.keys = { S3RVER: known(server.storage.secretAccessKey), BRANCH: known(branch.secretAccessKey) }
  server.allows = (keyId, line) =>
    keyId !== 'BRANCH' || /^(?:GET|HEAD) /.test(line) || /^(?:PUT|POST|DELETE) studies\/pr-1\//.test(line)
  return { owner: server.storage, branch, close: () => server.close() }
})
