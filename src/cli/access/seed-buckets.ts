import { allowedSeeds } from '../../local/allowed-seeds.ts'
import type { SeedObjects } from '../../runner/interface/seed-objects.ts'
import { bucketAccess } from './bucket-access.ts'

/**
 * The objects that studies may read on this machine: those in the buckets of `WHATIF_SEED_BUCKETS`.
 *
 * @throws SetupError for a list that cannot be read
 */
export function seedObjectsOf(env: NodeJS.ProcessEnv, projectRoot: string): SeedObjects {
  const names = (env.WHATIF_SEED_BUCKETS ?? '').split(',').map((name) => name.trim())
  const places = {
    named: names.filter((name) => name !== ''),
    name: 'WHATIF_SEED_BUCKETS',
    form: 'names of buckets with commas between them',
    storage: () => bucketAccess(env, 'a seed file in a bucket'),
  }
  return allowedSeeds(places, projectRoot)
}
