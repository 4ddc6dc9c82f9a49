import { BucketObjects } from '../objects/bucket-objects.ts'
import type { ObjectStorage } from '../objects/object-storage.ts'
import { StorageError } from '../objects/storage-error.ts'
import { RunRefusalError } from '../runner/interface/exit-code.ts'
import type { SharedStore } from '../runner/interface/shared-store.ts'
import { ADVICE, type Advice, REASONS, type Trouble, troubleOf } from './storage-trouble.ts'

/**
 * The state of studies in a bucket: the address is part of the settings, and no message repeats it.
 *
 * @param advice what to do about a trouble, where it is not what a command says.
 * @param off how the state stays on this disk.
 */
export function stateBucket(storage: ObjectStorage, advice: Advice = {}, off = 'WHATIF_STATE=none'): SharedStore {
  const objects = new BucketObjects(storage)
  const told = <T>(work: Promise<T>) => inWords(work, { ...WHAT_TO_DO, ...advice })
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
        `shared state: the storage does not keep to conditional writes (If-None-Match and If-Match), without which two machines could overwrite each other. Take a storage that has them, or keep the state on this disk (${off}).`,
      )
    },
    close: () => objects.close(),
  }
}

/** A fault of the storage in the words of a run, which ends with it: nothing may be bought that could not be remembered. */
async function inWords<T>(work: Promise<T>, whatToDo: Readonly<Record<Trouble, string>>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    const trouble = troubleOf(error)
    const message = `shared state: ${error.message} ${whatToDo[trouble]}`
    throw new RunRefusalError(REASONS[trouble], 'shared_state', message, { cause: error })
  }
}

const WHAT_TO_DO: Readonly<Record<Trouble, string>> = {
  ...ADVICE,
  credentials:
    'Set WHATIF_S3_ACCESS_KEY_ID and WHATIF_S3_SECRET_ACCESS_KEY or the AWS_* variables, give the machine a role, or set WHATIF_STATE=none to work with the state on this disk.',
  bucket: 'Create the bucket, or correct its name in WHATIF_STATE or whatif.state.yaml, or WHATIF_S3_ENDPOINT.',
  rights:
    'Check the credentials: they must be allowed to list the bucket, to read the scopes of --reads, and to read, write and delete objects below their own --scope (below main without one).',
  network: 'Check the network and WHATIF_S3_ENDPOINT, and run again: what was paid for is collected.',
}
