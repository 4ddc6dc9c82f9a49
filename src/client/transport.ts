import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type AddressKind, guardedLookup, kindOfAddress } from '../base/private-addresses.ts'
import { type Agents, exchange, type HttpReply, type HttpRequest } from './http-exchange.ts'
import { type Cleaner, keepingCleaner } from './service-text.ts'

/** Time limits in milliseconds. */
export interface ClientTimeouts {
  /** Until a connection is established; default 10 s. */
  readonly connectMs: number
  /** From the last byte sent to the reply's headers; default 60 s. */
  readonly headersMs: number
  /** The same for an upload, after which the service must store a large file; default 5 min. */
  readonly uploadHeadersMs: number
  /** Between two pieces of a body; default 30 s. */
  readonly bodyIdleMs: number
  /** A JSON or error body as a whole; default 60 s. */
  readonly bodyMs: number
  /** A download slower than 1 KiB/s for this long is aborted and tried again; default 60 s. */
  readonly lowSpeedMs: number
  /** A JSON call with its tries and waits, unless the caller sets a deadline; default 5 min. */
  readonly callMs: number
  /**
   * An upload or download with its tries and waits, or a wait for a job, unless the caller sets a deadline; default 60
   * min.
   */
  readonly transferMs: number
}

/** The client's access to the network and to time; tests can replace all of it. */
export interface TransportOptions {
  readonly timeouts?: Partial<ClientTimeouts>
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Uniform in [0, 1). */
  readonly random?: () => number
  /** Rejects when the signal fires. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Resolves names of hosts; default: as the system does. */
  readonly lookup?: LookupFunction
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
 * wait five seconds or more. If a service announces a shorter time, Node uses that.
 */
const KEPT_ALIVE = { keepAlive: true, timeout: 4_000 }

/** The error for an address of `host` to which no connection is allowed, or null. */
export type AddressRefusal = (host: string, address: string) => Error | null

/** Single HTTP exchanges, without repeats and redirects. */
export interface Transport {
  readonly timeouts: ClientTimeouts
  readonly now: () => number
  readonly random: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Fires when the transport is closed. */
  readonly closing: AbortSignal
  /** Cleans text of the service for messages of a call with these secrets. */
  readonly cleanerFor: (secrets: readonly string[]) => Cleaner
  /** Resolves with the headers of the reply; rejects with the cause of the failure (see `networkFault`). */
  open(request: HttpRequest, signal: AbortSignal): Promise<HttpReply>
  /**
   * The same for an address from somebody else. `refusal` checks each address to which a socket is about to connect,
   * and this rejects with the error that it returns. Connections are not shared with `open`.
   */
  openForeign(request: HttpRequest, refusal: AddressRefusal, signal: AbortSignal): Promise<HttpReply>
  /** The most public kind of address from which answers of an origin came; null before the first answer. */
  reachedAt(origin: string): AddressKind | null
  close(): Promise<void>
}

export function createTransport(options: TransportOptions): Transport {
  const timeouts: ClientTimeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
  const closing = new AbortController()
  const lookup = options.lookup === undefined ? {} : { lookup: options.lookup }
  const agents = agentsWith(lookup)
  const foreign = new Map<AddressRefusal, Agents>()
  const reached = new Map<string, AddressKind>()
  const send = async (request: HttpRequest, by: Agents, signal: AbortSignal): Promise<HttpReply> => {
    const headers = { 'user-agent': 'whatif', 'accept-encoding': 'identity', ...request.headers }
    return exchange({ ...request, headers }, by, timeouts, signal)
  }
  return {
    timeouts,
    now: options.now ?? Date.now,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? (async (ms, signal) => wait(ms, undefined, { signal })),
    closing: closing.signal,
    cleanerFor: keepingCleaner(),
    async open(request, signal) {
      const reply = await send(request, agents, signal)
      const { origin } = request.url
      // An answer over TLS came from the service itself, whatever its name resolved to.
      if (reply.peer !== null && reached.get(origin) !== 'public') reached.set(origin, kindOfAddress(reply.peer))
      return reply
    },
    async openForeign(request, refusal, signal) {
      // A socket resolves no name if the host is an address.
      const host = request.url.hostname.replace(/^\[(.*)\]$/, '$1')
      const refused = isIP(host) === 0 ? null : refusal(host, host)
      if (refused !== null) throw refused
      const by = foreign.get(refusal) ?? agentsWith({ lookup: guardedLookup(refusal, options.lookup) })
      foreign.set(refusal, by)
      return send(request, by, signal)
    },
    reachedAt: (origin) => reached.get(origin) ?? null,
    async close() {
      closing.abort()
      for (const kept of [agents, ...foreign.values()]) for (const agent of Object.values(kept)) agent.destroy()
    },
  }
}

function agentsWith(options: { readonly lookup?: LookupFunction }): Agents {
  return {
    'http:': new HttpAgent({ ...KEPT_ALIVE, ...options }),
    'https:': new HttpsAgent({ ...KEPT_ALIVE, ...options }),
  }
}
