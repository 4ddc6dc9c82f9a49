import { BucketObjects } from '../objects/bucket-objects.ts'
import type { ObjectStorage } from '../objects/object-storage.ts'
import { NO_CREDENTIALS, StorageError } from '../objects/storage-error.ts'
import { type ExitReason, RunRefusalError } from '../runner/interface/exit-code.ts'
import type { SharedStore } from '../runner/interface/shared-store.ts'

/** Codes of a storage that has the bucket elsewhere. */
const MISDIRECTED = new Set(['PermanentRedirect', 'AuthorizationHeaderMalformed', 'IllegalLocationConstraintException'])

/** The state of studies in a bucket: the address is part of the settings, and no message repeats it. */
export function stateBucket(storage: ObjectStorage): SharedStore {
  const objects = new BucketObjects(storage)
  return {
    read: (key) => told(objects.read(key)),
    write: (key, text) => told(objects.write(key, text)),
    create: (key, text) => told(objects.create(key, text)),
    replace: (key, text, version) => told(objects.replace(key, text, version)),
    list: (start) => told(objects.list(start)),
    remove: (key) => told(objects.remove(key)),
    upload: (key, path) => told(objects.upload(key, path)),
    download: (key, path) => told(objects.download(key, path)),
    async requireConditions(folder) {
      if (await told(objects.honoursConditions(folder))) return
      throw new RunRefusalError(
        'usage',
        'shared_state',
        'shared state: the storage does not keep to conditional writes (If-None-Match and If-Match), without which two machines could overwrite each other. Take a storage that has them, or set WHATIF_STATE=none to keep the state on this disk.',
      )
    },
    close: () => objects.close(),
  }
}

/** A fault of the storage in the words of a run, which ends with it: nothing may be bought that could not be remembered. */
async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    const { reason, advice } = meaningOf(error)
    throw new RunRefusalError(reason, 'shared_state', `shared state: ${error.message} ${advice}`, { cause: error })
  }
}

/** How a run ends because of a fault, and what to do about it. */
function meaningOf({ status, code }: StorageError): { readonly reason: ExitReason; readonly advice: string } {
  if (code === NO_CREDENTIALS)
    return {
      reason: 'authentication',
      advice:
        'Set WHATIF_S3_ACCESS_KEY_ID and WHATIF_S3_SECRET_ACCESS_KEY or the AWS_* variables, give the machine a role, or set WHATIF_STATE=none to work with the state on this disk.',
    }
  if (code === 'NoSuchBucket')
    return {
      reason: 'usage',
      advice: 'Create the bucket, or correct its name in WHATIF_STATE or whatif.state.yaml, or WHATIF_S3_ENDPOINT.',
    }
  if (code === 'RequestTimeTooSkewed')
    return { reason: 'authentication', advice: 'The clock of this machine is wrong: set it by NTP, and run again.' }
  if (MISDIRECTED.has(code) || (status !== null && status >= 300 && status < 400))
    return { reason: 'usage', advice: 'Set WHATIF_S3_REGION to the region of the bucket.' }
  if (status === 401 || status === 403 || code === 'ExpiredToken')
    return {
      reason: 'authentication',
      advice:
        'Check the credentials: they must be allowed to list the bucket, to read the scopes of --reads, and to read, write and delete objects below their own --scope (below main without one).',
    }
  return {
    reason: 'deadline_or_network',
    advice: 'Check the network and WHATIF_S3_ENDPOINT, and run again: what was paid for is collected.',
  }
}
