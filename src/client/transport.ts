import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import { exchange, type HttpReply, type HttpRequest } from './http-exchange.ts'
import { type Cleaner, keepingCleaner } from './service-text.ts'

/** Time limits in milliseconds. */
export interface ClientTimeouts {
  /** Until a connection stands; default 10 s. */
  readonly connectMs: number
  /** From the last byte sent to the reply's headers; default 60 s. */
  readonly headersMs: number
  /** The same for an upload, after which the service has a large file to put away; default 5 min. */
  readonly uploadHeadersMs: number
  /** Between two pieces of a body; default 30 s. */
  readonly bodyIdleMs: number
  /** A JSON or error body as a whole; default 60 s. */
  readonly bodyMs: number
  /** A download that brings less than 1 KiB/s for so long is broken off and tried again; default 60 s. */
  readonly lowSpeedMs: number
  /** A JSON call with its tries and waits, unless the caller gives a deadline; default 5 min. */
  readonly callMs: number
  /** An upload or download with its tries and waits, or a wait for a job, unless the caller gives a deadline; default 60 min. */
  readonly transferMs: number
}

/** How the client reaches the network and time; all of it can be replaced by tests. */
export interface TransportOptions {
  readonly timeouts?: Partial<ClientTimeouts>
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Uniform in [0, 1). */
  readonly random?: () => number
  /** Rejects when the signal fires. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

const DEFAULT_TIMEOUTS: ClientTimeouts = {
  connectMs: 10_000,
  headersMs: 60_000,
  uploadHeadersMs: 300_000,
  bodyIdleMs: 30_000,
  bodyMs: 60_000,
  lowSpeedMs: 60_000,
  callMs: 300_000,
  transferMs: 3_600_000,
}

/**
 * Connections wait for further requests, but not so long that the service closes one just as it is used: common servers
 * wait five seconds and more. Where a service says that it waits less, Node keeps to that.
 */
const KEPT_ALIVE = { keepAlive: true, timeout: 4_000 }

/** One HTTP exchange at a time, nothing repeated, nothing followed. */
export interface Transport {
  readonly timeouts: ClientTimeouts
  readonly now: () => number
  readonly random: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Fires when the transport is closed. */
  readonly closing: AbortSignal
  /** What makes text of the service fit for messages, for a call with these secrets. */
  readonly cleanerFor: (secrets: readonly string[]) => Cleaner
  /** Resolves with the headers of the reply; rejects with whatever stopped it (see `networkFault`). */
  open(request: HttpRequest, signal: AbortSignal): Promise<HttpReply>
  close(): Promise<void>
}

export function createTransport(options: TransportOptions): Transport {
  const timeouts: ClientTimeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
  const closing = new AbortController()
  const agents = { 'http:': new HttpAgent(KEPT_ALIVE), 'https:': new HttpsAgent(KEPT_ALIVE) }
  return {
    timeouts,
    now: options.now ?? Date.now,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? (async (ms, signal) => wait(ms, undefined, { signal })),
    closing: closing.signal,
    cleanerFor: keepingCleaner(),
    async open(request, signal) {
      const headers = { 'user-agent': 'whatif', 'accept-encoding': 'identity', ...request.headers }
      return exchange({ ...request, headers }, agents, timeouts, signal)
    },
    async close() {
      closing.abort()
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}
