import { join } from 'node:path'
import type { FileSystem } from '../../base/atomic-file.ts'
import type { Clock } from '../../base/clock.ts'
import { type PlaceOptions, requireOwnState, runPlaces } from '../files/project-paths.ts'
import type { LockHolder } from '../interface/run-event.ts'
import type { RunEnvironment } from '../interface/run-options.ts'
import { lookAtLock, removeStale, type Staleness } from './run-lock.ts'

/** `held`: its holder is alive, and the lock was left alone. `changed`: another run took it in the meantime. */
export type Unlocking =
  | { readonly kind: 'not_locked' }
  | { readonly kind: 'held'; readonly holder: LockHolder }
  | { readonly kind: 'removed'; readonly holder: LockHolder; readonly stale: Staleness }
  | { readonly kind: 'changed'; readonly holder: LockHolder }

/**
 * Removes the lock of a study whose holder is gone; with `force` that of a living one as well, which then stops at its
 * next request: its work goes on at the service, and the next run collects it. Rejects with `RunRefusalError` where the state
 * folder leads out of the project.
 */
export async function unlockStudy(
  place: PlaceOptions,
  env: { readonly fs: FileSystem; readonly clock: Clock; readonly process: RunEnvironment['process'] },
  options: { readonly force: boolean },
): Promise<Unlocking> {
  const { fs, clock } = env
  const places = runPlaces(place)
  await requireOwnState(fs, places)
  const path = join(places.stateFolder, 'lock')
  const found = await lookAtLock({ fs, path, clock, host: env.process.host, processExists: env.process.exists })
  if (found === null) return { kind: 'not_locked' }
  const { holder, stale } = found
  if (stale === null && !options.force) return { kind: 'held', holder }
  const isRemoved = await removeStale({ fs, path, runId: `unlock-${env.process.pid}` }, holder)
  return isRemoved ? { kind: 'removed', holder, stale } : { kind: 'changed', holder }
}
