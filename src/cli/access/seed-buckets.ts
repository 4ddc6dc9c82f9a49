import { escapeText } from '../../base/text/escape-text.ts'
import { SetupError } from '../../local/setup-error.ts'
import { RunRefusalError } from '../../runner/interface/exit-code.ts'
import type { SeedObjects } from '../../runner/interface/seed-objects.ts'
import { bucketAccess } from './bucket-access.ts'

const VARIABLE = 'WHATIF_SEED_BUCKETS'

interface AllowedPlace {
  readonly bucket: string
  /** With a slash at its end; empty: the whole bucket. */
  readonly prefix: string
}

/**
 * The objects that studies may read on this machine: those in the buckets of `WHATIF_SEED_BUCKETS`. A study may come from a pull request,
 * and the credentials belong to whoever runs it.
 *
 * @throws SetupError for a list that cannot be read
 */
export function seedObjectsOf(env: NodeJS.ProcessEnv, projectRoot: string): SeedObjects {
  const allowed = allowedPlaces(env[VARIABLE])
  let opened: Promise<SeedObjects> | null = null
  return {
    async copyOf(object, options) {
      const { bucket, key } = object
      if (!allowed.some((place) => place.bucket === bucket && key.startsWith(place.prefix)))
        throw notAllowed(bucket, allowed)
      opened ??= open(env, projectRoot)
      return await (await opened).copyOf(object, options)
    },
  }
}

/** Loaded late: most studies name files. */
async function open(env: NodeJS.ProcessEnv, projectRoot: string): Promise<SeedObjects> {
  try {
    const access = bucketAccess(env, 'a seed file in a bucket')
    const { seedObjects } = await import('../../local/seed-objects.ts')
    return seedObjects(projectRoot, (bucket) => ({ ...access, bucket, prefix: '' }))
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    throw new RunRefusalError(error.exitCode === 5 ? 'authentication' : 'usage', 'seed_object', error.message)
  }
}

function allowedPlaces(text = ''): AllowedPlace[] {
  const names = text.split(',').map((name) => name.trim())
  return names.filter((name) => name !== '').map(placeOf)
}

function placeOf(text: string): AllowedPlace {
  const [, bucket, path = ''] = /^([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^\\?*]*))?$/u.exec(text) ?? []
  const parts = path.replace(/\/$/, '').split('/')
  if (bucket === undefined || (path !== '' && parts.some((part) => /^\.{0,2}$/.test(part))))
    throw new SetupError(
      2,
      `${VARIABLE}: expected names of buckets with commas between them, such as panels or panels/2026, found ${escapeText(text)}`,
    )
  return { bucket, prefix: path === '' ? '' : `${parts.join('/')}/` }
}

function notAllowed(bucket: string, allowed: readonly AllowedPlace[]): RunRefusalError {
  const places = allowed.map((place) => `${place.bucket}${place.prefix === '' ? '' : `/${place.prefix}`}`)
  const found = places.length === 0 ? 'and is not set' : `and has ${places.join(', ')}`
  const message = `${VARIABLE} names the buckets that studies may read on this machine, ${found}; if you trust the study with it, add ${bucket}`
  return new RunRefusalError('usage', 'seed_bucket', message)
}
