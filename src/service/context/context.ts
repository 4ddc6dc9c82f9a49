import type { Deprecation } from '../../contract/operation.ts'
import type { BlobRemoval, BlobStore } from '../blobs/blob-store.ts'
import type { ServiceClock } from '../clock/service-clock.ts'
import type { ServiceKeys } from '../keys/service-keys.ts'
import type { WorkQueue } from '../queue/work-queue.ts'
import type { Settings } from '../settings/settings.ts'
import type { Database } from '../store/database.ts'
import type { ServiceEvents } from '../telemetry/service-events.ts'
import type { Traces } from '../telemetry/traces.ts'

/** The dependencies of every route and worker; made once by `startService`. */
export interface ServiceContext {
  readonly settings: Settings
  readonly db: Database
  readonly blobs: BlobStore
  readonly queue: WorkQueue
  readonly keys: ServiceKeys
  readonly addresses: Addresses
  /** Absent: events are neither counted nor logged. */
  readonly events?: ServiceEvents
  /** Absent: no tracing. */
  readonly traces?: Traces
  /**
   * Milliseconds since 1970, by the service's clock; tests pass their own. Every deadline, retention and lease uses it.
   */
  readonly now: () => number
  /** The clock of `now`. Absent in tests that fix the time. */
  readonly clock?: ServiceClock
  /** The end of all operations below `/v1`. Absent: as the contract says. */
  readonly endOfV1?: Deprecation
  /** Removes orphaned blobs. Absent in tests that check what remains. */
  readonly remover?: BlobRemoval
}

/**
 * The addresses that clients use, without trailing slashes. With port 0 they are known only once the server listens, so
 * read them while answering a request, never while building the app.
 */
export interface Addresses {
  /** `{base_url}`: also the audience of tokens. */
  baseUrl: string
  /** `{auth_url}`: the issuer of tokens; `{auth_url}/oauth/token` mints them. */
  authUrl: string
}
