import type { LockHolder } from '../interface/run-event.ts'
import type { SharedStore } from '../interface/shared-store.ts'
import type { StudyState } from '../plan/study-state.ts'
import type { LockRequest, Staleness } from '../state/run-lock.ts'
import type { RecordFiles } from '../state/run-records.ts'
import { stateInStore } from './read-shared.ts'
import { readSharedLock } from './shared-lock.ts'
import { MAIN_SCOPE, resultsFolder, sharedFolder } from './shared-places.ts'

/** What `whatif status` shows of a study whose state is shared. */
interface SharedStatus {
  readonly state: () => Promise<StudyState>
  readonly lock: (
    world: Pick<LockRequest, 'clock' | 'process'>,
  ) => Promise<{ readonly holder: LockHolder; readonly stale: Staleness } | null>
  readonly records: RecordFiles
}

export function sharedStatus(
  store: SharedStore,
  request: {
    readonly study: { readonly name: string }
    readonly service: { readonly label: string }
    readonly scope: string | null
    readonly reads?: readonly string[]
  },
): SharedStatus {
  const { study, service, scope, reads = [] } = request
  const place = { study: study.name, service: service.label, apart: [], scope, reads }
  const own = sharedFolder(place, scope ?? MAIN_SCOPE)
  const runs = `${resultsFolder(own)}runs/`
  return {
    state: () => stateInStore(store, place),
    lock: (world) => readSharedLock({ store, key: `${own}lock` }, world),
    records: {
      names: async () => (await store.list(runs)).map((key) => key.slice(runs.length)),
      read: async (path) => (await store.read(`${resultsFolder(own)}${path}`))?.text ?? null,
    },
  }
}
