import type { ObjectStorage } from '../settings/settings.ts'
import { UnusableError } from '../unusable-error.ts'

/** @throws UnusableError that names the wrong setting; values are shown only where they cannot be secret. */
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
