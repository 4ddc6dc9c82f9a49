import { z } from 'zod'
import type { SeedObjects } from '../runner/interface/seed-objects.ts'
import { SCOPE_LABEL_PATTERN } from '../study/hashing/request-key.ts'
import { allowedSeeds } from './allowed-seeds.ts'
import { type ChosenState, chooseState } from './chosen-state.ts'
import { SetupError } from './setup-error.ts'
import { openStorage, type StorageAccess } from './storage-access.ts'
import type { Advice } from './storage-trouble.ts'

/** What a program says of buckets: the options of `runStudyFile` for what the command reads in variables. */
export interface BucketOptions {
  /** The storage of the state and of seed files. Without it both are on this disk. */
  readonly storage?: StorageAccess
  /**
   * Where the state lives that several machines share: `s3://BUCKET/PREFIX`, or `none` for this disk. Default: what
   * `whatif.state.yaml` of the project says, which counts only with `storage`.
   */
  readonly state?: string
  /** Scopes of the shared state whose results the run takes as its own. Default: those of `whatif.state.yaml`. */
  readonly reads?: readonly string[]
  /** Which results of the shared state are brought to this disk, as in `select`. Default: those that are read. */
  readonly download?: readonly string[]
  /** Buckets, or `BUCKET/PREFIX`, whose objects the study may name as seed files. Default: none. */
  readonly seedBuckets?: readonly string[]
}

const text = z.string().min(1).optional()

export const bucketOptions = {
  storage: z
    .strictObject({
      endpoint: text,
      region: text,
      accessKeyId: text,
      secretAccessKey: text,
      credentials: z.custom((value) => typeof value === 'function', 'expected a function').optional(),
    })
    .optional(),
  state: text,
  reads: z.array(z.string().regex(SCOPE_LABEL_PATTERN, 'expected labels of scopes')).readonly().optional(),
  download: z.array(z.string()).readonly().optional(),
  seedBuckets: z.array(z.string()).readonly().optional(),
}

const NAMES = {
  endpoint: 'options.storage.endpoint',
  region: 'options.storage.region',
  accessKeyId: 'options.storage.accessKeyId',
  secretAccessKey: 'options.storage.secretAccessKey',
}

const REGION = 'Set options.storage.region to the region of the bucket.'
const KEYS = 'Pass options.storage.accessKeyId and secretAccessKey, or credentials that return a key and its secret.'
const ADVICE_ON_STATE: Advice = {
  credentials: `${KEYS} With options.state none the state is on this disk.`,
  bucket: 'Create the bucket, or correct its name in options.state or whatif.state.yaml, or options.storage.endpoint.',
  rights:
    'Check the credentials: they must be allowed to list the bucket, to read the scopes of options.reads, and to read, write and delete objects below options.scope (below main without one).',
  network: 'Check the network and options.storage.endpoint, and run again: what was paid for is collected.',
  region: REGION,
}
const ADVICE_ON_SEEDS: Advice = {
  credentials: KEYS,
  bucket: 'Correct the name of the bucket in the study, or options.storage.endpoint.',
  network: 'Check the network and options.storage.endpoint, and run again.',
  region: REGION,
}

export interface OpenedBuckets {
  /** The caller closes its store. Null: the state is on this disk. */
  readonly state: ChosenState | null
  /** Absent: the study may name no objects. */
  readonly objects?: SeedObjects
}

/** @throws SetupError */
export async function openBuckets(
  options: BucketOptions & { readonly scope?: string },
  projectRoot: string,
): Promise<OpenedBuckets> {
  const { storage: said, state: named, seedBuckets } = options
  if (said === undefined) {
    for (const name of ['state', 'reads', 'download', 'seedBuckets'] as const)
      if (options[name] !== undefined && options[name] !== 'none')
        throw new SetupError(2, `options.${name} needs options.storage: the address and the credentials of a bucket`)
    return { state: null }
  }
  const access = openStorage(said, NAMES, 'a bucket')
  const storage = () => access
  const state = await chooseState(
    options,
    {
      named,
      name: 'options.state',
      example: 'options.state to s3://BUCKET/PREFIX',
      off: 'options.state none',
      flagName: (flag) => `options.${flag}`,
      storage,
      advice: ADVICE_ON_STATE,
    },
    projectRoot,
  )
  if (seedBuckets === undefined) return { state }
  const form = 'names of buckets'
  try {
    return {
      state,
      objects: allowedSeeds(
        { named: seedBuckets, name: 'options.seedBuckets', form, storage, advice: ADVICE_ON_SEEDS },
        projectRoot,
      ),
    }
  } catch (error) {
    await state?.store.close()
    throw error
  }
}
