import type { ObjectStorage } from '../settings/settings.ts'
import { UnusableError } from '../unusable-error.ts'
import { NO_CREDENTIALS, type StorageError } from './storage-error.ts'

/** The bucket could not be written, read, listed or deleted from. The secret is not in the message. */
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
    return 'Requests are signed for the time of the database: set its clock and that of the storage by NTP.'
  }
  if (status === 401 || status === 403) {
    return 'Check the access key, and that it may get, put, list and delete objects and abort and list multipart uploads.'
  }
  if (status >= 300 && status < 400) return 'Check the region and the endpoint: the bucket is somewhere else.'
  return 'Check the settings of the object storage.'
}
