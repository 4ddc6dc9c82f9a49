import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type Agents, exchange, type HttpReply, type HttpRequest } from './http-exchange.ts'
import { type AddressKind, guardedLookup, kindOfAddress } from './private-addresses.ts'
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
 * wait five seconds and more. Where a service says that it waits less, Node keeps to that.
 */
const KEPT_ALIVE = { keepAlive: true, timeout: 4_000 }

/** The error for an address of `host` that must not be connected to, or null. */
export type AddressRefusal = (host: string, address: string) => Error | null

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
  /**
   * The same for an address that somebody else gave. `refusal` checks each address that a socket is about to connect to, and
   * this rejects with what it returns; connections are not shared with `open`.
   */
  openForeign(request: HttpRequest, refusal: AddressRefusal, signal: AbortSignal): Promise<HttpReply>
  /** The most public kind of address that answers of an origin came from; null before there was one. */
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
      // An answer over TLS came from the service itself, whatever its name stood for.
      if (reply.peer !== null && reached.get(origin) !== 'public') reached.set(origin, kindOfAddress(reply.peer))
      return reply
    },
    async openForeign(request, refusal, signal) {
      // A socket asks for no name where the host is an address.
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
