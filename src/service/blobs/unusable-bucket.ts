import type { ObjectStorage } from '../../objects/object-storage.ts'
import { NO_CREDENTIALS, type StorageError } from '../../objects/storage-error.ts'
import { UnusableError } from '../settings/unusable-error.ts'

/**
 * Error for a bucket that could not be written, read, listed or deleted from. The message does not contain the secret.
 */
export function unusableBucket({ bucket, endpoint }: ObjectStorage, cause: StorageError): UnusableError {
  return new UnusableError(
    'object_storage_unusable',
    `The bucket ${bucket} at ${new URL(endpoint).host} cannot be used: ${cause.message} ${adviceOn(cause)}`,
    { cause },
  )
}

function adviceOn({ status, code }: StorageError): string {
  if (code === NO_CREDENTIALS) {
    return 'Set WHATIF_S3_ACCESS_KEY_ID and WHATIF_S3_SECRET_ACCESS_KEY, or name a source of credentials by AWS_* variables.'
  }
  if (status === null) return 'Check the endpoint and the network.'
  if (code === 'NoSuchBucket' || status === 404) return 'Create the bucket, or check its name and the endpoint.'
  if (code === 'RequestTimeTooSkewed') {
    return 'Requests are signed for the time of the database: set both clocks, of the database and of the storage, by NTP.'
  }
  if (status === 401 || status === 403) {
    return 'Check the access key, and that it may get, put, list and delete objects and abort and list multipart uploads.'
  }
  if (status >= 300 && status < 400) return 'Check the region and the endpoint: the bucket is elsewhere.'
  return 'Check the settings of the object storage.'
}

/** @throws UnusableError that names the wrong setting; values are shown only if they cannot be secret. */
export function checkObjectStorage(storage: ObjectStorage): void {
  const { endpoint, region, bucket, prefix, accessKeyId, secretAccessKey, credentials } = storage
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    `${url.username}${url.password}${url.search}${url.hash}` !== ''
  ) {
    throw wrong('endpoint', 'must be an http or https address without user, query or fragment')
  }
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(region)) throw wrong('region', 'must be a name such as eu-central-1')
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/.test(bucket)) {
    throw wrong('bucket', 'must have 3 to 63 characters, all of them letters, digits, dots, dashes or underscores')
  }
  if (!/^(?:[A-Za-z0-9_=-][A-Za-z0-9_.=-]*(?:\/|$))*$/.test(prefix) || prefix.length > 200) {
    throw wrong(
      'prefix',
      'must be like a path of letters, digits, dots, dashes and underscores, without a leading slash',
    )
  }
  if (accessKeyId === undefined && secretAccessKey === undefined && credentials !== undefined) return
  for (const [name, value = ''] of [
    ['access key id', accessKeyId],
    ['secret access key', secretAccessKey],
  ] as const) {
    if (!/^[\x21-\x7e]{1,256}$/.test(value)) throw wrong(name, 'must be 1 to 256 printable characters without spaces')
  }
}

function wrong(name: string, what: string): UnusableError {
  return new UnusableError('object_storage_unusable', `The ${name} of the object storage ${what}.`)
}
