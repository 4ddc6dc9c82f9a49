import type { BlobRemoval, BlobStore } from '../blobs/blob-store.ts'
import type { ServiceClock } from '../clock/service-clock.ts'
import type { ServiceKeys } from '../keys/service-keys.ts'
import type { WorkQueue } from '../queue/work-queue.ts'
import type { Settings } from '../settings/settings.ts'
import type { Database } from '../store/database.ts'
import type { ServiceEvents } from '../telemetry/service-events.ts'
import type { Traces } from '../telemetry/traces.ts'

/** What every route and worker is given; made once by `startService`. */
export interface ServiceContext {
  readonly settings: Settings
  readonly db: Database
  readonly blobs: BlobStore
  readonly queue: WorkQueue
  readonly keys: ServiceKeys
  readonly addresses: Addresses
  /** Absent: nobody counts or reads about what happens. */
  readonly events?: ServiceEvents
  /** Absent: nobody traces. */
  readonly traces?: Traces
  /** Milliseconds since 1970, by the service's clock; tests pass their own. Every deadline, retention and lease goes by it. */
  readonly now: () => number
  /** The clock that `now` is of. Absent in tests whose time is right by decree. */
  readonly clock?: ServiceClock
  /** Removes blobs that are given up. Absent in tests that look at what is left. */
  readonly remover?: BlobRemoval
}

/**
 * The addresses that clients use, without trailing slashes. With port 0 they are known only once the server listens:
 * read them when a request is answered, never when the app is built.
 */
export interface Addresses {
  /** `{base_url}`: also the audience of tokens. */
  baseUrl: string
  /** `{auth_url}`: the issuer of tokens; `{auth_url}/oauth/token` mints them. */
  authUrl: string
}
