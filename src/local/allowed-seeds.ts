import { escapeText } from '../base/text/escape-text.ts'
import type { ObjectStorage } from '../objects/object-storage.ts'
import { RunRefusalError } from '../runner/interface/exit-code.ts'
import type { SeedObjects } from '../runner/interface/seed-objects.ts'
import { SetupError } from './setup-error.ts'
import type { Advice } from './storage-trouble.ts'

/** What a caller says of the buckets that studies may read: a command in variables, a program in options. */
export interface SeedPlaces {
  /** `BUCKET` or `BUCKET/PREFIX` */
  readonly named: readonly string[]
  /** Of the variable or option, for messages. */
  readonly name: string
  /** What it takes, for messages. */
  readonly form: string
  readonly storage: () => Omit<ObjectStorage, 'bucket' | 'prefix'>
  /** Absent: what a command says. */
  readonly advice?: Advice
}

interface AllowedPlace {
  readonly bucket: string
  /** With a slash at its end; empty: the whole bucket. */
  readonly prefix: string
}

/**
 * The objects that studies may read on this machine. A study may come from a pull request, and the credentials belong to whoever runs it.
 *
 * @throws SetupError for a list that cannot be read
 */
export function allowedSeeds(places: SeedPlaces, projectRoot: string): SeedObjects {
  const allowed = places.named.map((text) => placeOf(text, places))
  let opened: Promise<SeedObjects> | null = null
  return {
    async copyOf(object, options) {
      const { bucket, key } = object
      if (!allowed.some((place) => place.bucket === bucket && key.startsWith(place.prefix)))
        throw notAllowed(bucket, allowed, places.name)
      opened ??= open(places, projectRoot)
      return await (await opened).copyOf(object, options)
    },
  }
}

/** Loaded late: most studies name files. */
async function open({ storage, advice }: SeedPlaces, projectRoot: string): Promise<SeedObjects> {
  try {
    const access = storage()
    const { seedObjects } = await import('./seed-objects.ts')
    return seedObjects(projectRoot, (bucket) => ({ ...access, bucket, prefix: '' }), advice)
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    throw new RunRefusalError(error.exitCode === 5 ? 'authentication' : 'usage', 'seed_object', error.message)
  }
}

function placeOf(text: string, { name, form }: SeedPlaces): AllowedPlace {
  const [, bucket, path = ''] = /^([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^\\?*]*))?$/u.exec(text) ?? []
  const parts = path.replace(/\/$/, '').split('/')
  if (bucket === undefined || (path !== '' && parts.some((part) => /^\.{0,2}$/.test(part))))
    throw new SetupError(2, `${name}: expected ${form}, such as panels or panels/2026, found ${escapeText(text)}`)
  return { bucket, prefix: path === '' ? '' : `${parts.join('/')}/` }
}

function notAllowed(bucket: string, allowed: readonly AllowedPlace[], name: string): RunRefusalError {
  const places = allowed.map((place) => `${place.bucket}${place.prefix === '' ? '' : `/${place.prefix}`}`)
  const found = places.length === 0 ? 'and is not set' : `and has ${places.join(', ')}`
  const message = `${name} names the buckets that studies may read on this machine, ${found}; if you trust the study with it, add ${bucket}`
  return new RunRefusalError('usage', 'seed_bucket', message)
}
