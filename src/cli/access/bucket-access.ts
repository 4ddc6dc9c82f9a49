import { openStorage, type StorageNames } from '../../local/storage-access.ts'
import type { ObjectStorage } from '../../objects/object-storage.ts'

const NAMES: StorageNames = {
  endpoint: 'WHATIF_S3_ENDPOINT',
  region: 'WHATIF_S3_REGION',
  accessKeyId: 'WHATIF_S3_ACCESS_KEY_ID',
  secretAccessKey: 'WHATIF_S3_SECRET_ACCESS_KEY',
}

/**
 * Address, region and credentials of the storage, from the variables of a service's bucket, and never from a file or a study, which may
 * come from a pull request.
 *
 * @param what needs them, for messages
 * @throws SetupError
 */
export function bucketAccess(env: NodeJS.ProcessEnv, what: string): Omit<ObjectStorage, 'bucket' | 'prefix'> {
  const said = {
    endpoint: env.WHATIF_S3_ENDPOINT || undefined,
    region: env.WHATIF_S3_REGION || env.AWS_REGION || env.AWS_DEFAULT_REGION || undefined,
    accessKeyId: env.WHATIF_S3_ACCESS_KEY_ID,
    secretAccessKey: env.WHATIF_S3_SECRET_ACCESS_KEY,
    // Loaded late: the library that finds credentials is large.
    credentials: async () => await (await import('./aws-credentials.ts')).standardCredentials(env)(),
  }
  return openStorage(said, NAMES, what)
}
