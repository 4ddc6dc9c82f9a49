import { afterAll, afterEach, beforeEach } from 'vitest'
import { createServiceClient, type ServiceClientOptions } from '../../src/client/create-service-client.ts'
import type { ServiceClient } from '../../src/client/service-client.ts'
import { ServiceError } from '../../src/client/service-error.ts'
import { type ScriptedService, startScriptedService } from './scripted-service.ts'

/** A clock that stands still, except that waiting on it takes no time and moves it. */
export interface FakeClock {
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Always ½: delays are three quarters of their largest value. */
  readonly random: () => number
  /** Every wait so far, in milliseconds. */
  readonly waits: number[]
  readonly advance: (ms: number) => void
}

export const START_MS = Date.UTC(2026, 10, 20, 12)

export function fakeClock(): FakeClock {
  let nowMs = START_MS
  const waits: number[] = []
  return {
    now: () => nowMs,
    sleep: async (ms, signal) => {
      signal.throwIfAborted()
      waits.push(ms)
      nowMs += ms
    },
    random: () => 0.5,
    waits,
    advance: (ms) => {
      nowMs += ms
    },
  }
}

export const SECRET_CANARY = 'canary-client-secret-7e1f+/=&"'

export interface Rig {
  readonly service: ScriptedService
  readonly clock: FakeClock
  readonly client: ServiceClient
  /** Another client of the same service, closed with the first. */
  readonly connect: (options?: Partial<ServiceClientOptions>) => ServiceClient
}

/** A fresh scripted service, clock and client for every test of the file. */
export function useRig(): Rig {
  let parts: { service: ScriptedService; clock: FakeClock; clients: ServiceClient[] } | null = null
  const current = () => {
    if (parts === null) throw new Error('the rig exists inside tests only')
    return parts
  }
  const connect = (options: Partial<ServiceClientOptions> = {}) => {
    const { service, clock, clients } = current()
    const client = createServiceClient({
      baseUrl: service.url,
      authUrl: service.url,
      clientId: 'cli_1',
      clientSecret: SECRET_CANARY,
      now: clock.now,
      random: clock.random,
      sleep: clock.sleep,
      ...options,
    })
    clients.push(client)
    return client
  }
  const tearDown = async () => {
    const { service, clients } = parts ?? {}
    parts = null
    await Promise.all((clients ?? []).map((client) => client.close()))
    await service?.close()
  }
  beforeEach(async () => {
    parts = { service: await startScriptedService(), clock: fakeClock(), clients: [] }
    connect()
  })
  afterEach(tearDown)
  afterAll(tearDown)
  return {
    get service() {
      return current().service
    },
    get clock() {
      return current().clock
    },
    get client() {
      return current().clients[0] as ServiceClient
    },
    connect,
  }
}

/** The error of a rejected promise, which must be a `ServiceError`. */
export async function failure(call: Promise<unknown>): Promise<ServiceError> {
  const outcome = await call.then(
    () => null,
    (error: unknown) => error,
  )
  if (outcome instanceof ServiceError) return outcome
  throw new Error('expected a ServiceError', { cause: outcome })
}

/** Everything that an error could show anybody: messages, fields and causes, all the way down. */
export function everythingIn(error: unknown, depth = 0): string {
  if (depth > 6 || typeof error !== 'object' || error === null) return String(error)
  const own = Object.getOwnPropertyNames(error).map((key) =>
    everythingIn((error as Record<string, unknown>)[key], depth + 1),
  )
  return [String(error), ...own].join('\n')
}
