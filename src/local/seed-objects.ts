import { extname } from 'node:path'
import { MAX_SEED_FILE_BYTES } from '../contract/limits.ts'
import type { ObjectStorage } from '../objects/object-storage.ts'
import { readObject } from '../objects/read-object.ts'
import { S3Connection } from '../objects/s3-connection.ts'
import { StorageError } from '../objects/storage-error.ts'
import { RunRefusalError } from '../runner/interface/exit-code.ts'
import type { SeedObjects, WantedObject } from '../runner/interface/seed-objects.ts'
import { copyFault, SeedCopies } from './seed-copies.ts'
import { ADVICE, type Advice, REASONS, type Trouble, troubleOf } from './storage-trouble.ts'

/**
 * Objects of these buckets, copied into the project.
 *
 * @param storageOf never follows from a study, but for the name of the bucket.
 * @param advice what to do about a trouble, where it is not what a command says.
 */
export function seedObjects(
  projectRoot: string,
  storageOf: (bucket: string) => ObjectStorage,
  advice: Advice = {},
): SeedObjects {
  const copies = new SeedCopies(projectRoot)
  return {
    async copyOf(object, { signal, onSize }) {
      const name = `${object.sha256}${extensionOf(object.key)}`
      try {
        const known = await copies.find(name, object.sha256, signal)
        if (known !== null) {
          onSize(known.bytes)
          return known
        }
        const connection = new S3Connection(storageOf(object.bucket))
        try {
          return await copies.add(name, bytesOf(connection, object, onSize, signal), (sha256) => {
            if (sha256 !== object.sha256) throw otherBytes(object, sha256)
          })
        } finally {
          await connection.close()
        }
      } catch (error) {
        signal.throwIfAborted()
        throw refusalOf(error, { ...WHAT_TO_DO, ...advice })
      }
    },
  }
}

/** Of a name that somebody chose in a bucket, only what says the format. */
function extensionOf(key: string): string {
  const extension = extname(key).toLowerCase()
  return /^\.[a-z0-9]{1,10}$/.test(extension) ? extension : ''
}

async function* bytesOf(
  connection: S3Connection,
  { key }: WantedObject,
  onSize: (bytes: number) => void,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const opened = (headers: Headers): void => {
    const bytes = Number(headers.get('content-length'))
    if (bytes > MAX_SEED_FILE_BYTES) {
      const detail = `it has ${bytes} bytes, and the service accepts at most ${MAX_SEED_FILE_BYTES} (500 MB)`
      throw new RunRefusalError('does_not_fit_data', 'seed_file_too_large', detail)
    }
    onSize(bytes)
  }
  // An object has the length that it announced, or reading it fails.
  yield* readObject(connection, key, null, signal, opened)
}

function otherBytes({ sha256 }: WantedObject, found: string): RunRefusalError {
  const detail = `the sha256 of the object is ${found},\nthe study pins ${sha256}`
  return new RunRefusalError('does_not_fit_data', 'seed_file_changed', detail)
}

function refusalOf(error: unknown, whatToDo: Readonly<Record<Trouble, string>>): unknown {
  if (error instanceof RunRefusalError) return error
  if (error instanceof StorageError) {
    const trouble = troubleOf(error)
    const message = `${error.message}\n${whatToDo[trouble]}`
    return new RunRefusalError(REASONS[trouble], 'seed_object', message, { cause: error })
  }
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' && syscall === undefined)
    return new RunRefusalError('usage', 'seed_file_missing', NO_OBJECT, { cause: error })
  return copyFault(error) ?? error
}

const NO_OBJECT = 'there is no such object in the bucket; upload it, or correct the key'

const WHAT_TO_DO: Readonly<Record<Trouble, string>> = {
  ...ADVICE,
  credentials:
    'Set WHATIF_S3_ACCESS_KEY_ID and WHATIF_S3_SECRET_ACCESS_KEY or the AWS_* variables, or give the machine a role.',
  bucket: 'Correct the name of the bucket in the study, or WHATIF_S3_ENDPOINT.',
  rights:
    'Check the credentials: they must be allowed to read the object (s3:GetObject). Without the right to list the bucket, a storage answers so for an object that is not there.',
  network: 'Check the network and WHATIF_S3_ENDPOINT, and run again.',
}
