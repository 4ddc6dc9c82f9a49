import type { ObjectStorage, StorageCredentials } from '../objects/object-storage.ts'
import { SetupError } from './setup-error.ts'

/** Address and credentials of an S3-compatible storage, for a state or seed files in buckets. */
export interface StorageAccess {
  /** `https://s3.example.org`, without bucket, user or path. Default: that of AWS for the region. */
  readonly endpoint?: string | undefined
  /** Default: `us-east-1`. */
  readonly region?: string | undefined
  /** A permanent access key and its secret; both, or `credentials`. */
  readonly accessKeyId?: string | undefined
  readonly secretAccessKey?: string | undefined
  /** Source of temporary credentials: called at the first request, and again before the current ones end. */
  readonly credentials?: (() => Promise<StorageCredentials>) | undefined
}

/** How messages call what the caller says: variables of the command, options of the library. */
export type StorageNames = Readonly<Record<'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey', string>>

/**
 * What a bucket of the storage is opened with.
 *
 * @param what needs it, for messages
 * @throws SetupError with exit code 2 for an address or a region that cannot be, 5 for missing credentials
 */
export function openStorage(
  { endpoint: said, region = 'us-east-1', accessKeyId, secretAccessKey, credentials }: StorageAccess,
  names: StorageNames,
  what: string,
): Omit<ObjectStorage, 'bucket' | 'prefix'> {
  if (!accessKeyId !== !secretAccessKey)
    throw new SetupError(
      5,
      `${what} needs both ${names.accessKeyId} and ${names.secretAccessKey}, or neither; found only ${accessKeyId ? 'the first' : 'the second'}`,
    )
  const endpoint = said ?? `https://s3.${region}.amazonaws.com`
  if (!/^https?:\/\/[^\s/@?#]+\/?$/.test(endpoint))
    throw new SetupError(
      2,
      `${names.endpoint}: expected the address of the storage without bucket, user or path, such as https://s3.example.org`,
    )
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(region))
    throw new SetupError(2, `${names.region}: expected a name such as eu-central-1`)
  if (accessKeyId && secretAccessKey) return { endpoint, region, accessKeyId, secretAccessKey }
  if (credentials === undefined)
    throw new SetupError(5, `${what} needs ${names.accessKeyId} and ${names.secretAccessKey}, or credentials`)
  return { endpoint, region, credentials }
}
