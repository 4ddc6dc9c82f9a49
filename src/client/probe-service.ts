import { z } from 'zod'
import { addressUnder, checkedAddress } from './address-rules.ts'
import { networkFault } from './network-fault.ts'
import { type OpenCallOptions, openCall } from './open-call.ts'
import { ServiceError } from './service-error.ts'
import { createTransport } from './transport.ts'

/** The result of one request for a service's health; nothing is repeated. */
export type HealthProbe =
  | {
      readonly reached: true
      readonly status: number
      /** The service's clock when it answered, ms since 1970; null if it does not say. */
      readonly clockMs: number | null
      /** Our clock in the middle of the exchange. */
      readonly askedAtMs: number
    }
  | { readonly reached: false; readonly why: string; readonly hint: string | null }

/** GET /healthz, once. */
export async function probeHealth(options: OpenCallOptions & { readonly limitMs: number }): Promise<HealthProbe> {
  const url = addressUnder(checkedAddress(options.baseUrl, 'address of the service'), '/healthz')
  const transport = createTransport(options)
  const before = transport.now()
  try {
    const limit = AbortSignal.timeout(options.limitMs)
    const reply = await transport.open({ method: 'GET', url, headers: { accept: 'application/json' } }, limit)
    reply.body.destroy()
    const clock = Date.parse(reply.header('date') ?? '')
    return {
      reached: true,
      status: reply.status,
      clockMs: Number.isFinite(clock) ? clock : null,
      askedAtMs: (before + transport.now()) / 2,
    }
  } catch (error) {
    if ((error as Error).name === 'TimeoutError')
      return { reached: false, why: `no answer within ${options.limitMs / 1000} s`, hint: null }
    const { why, hint } = networkFault(error)
    return { reached: false, why, hint }
  } finally {
    await transport.close()
  }
}

const Contract = z.object({ info: z.object({ version: z.string() }) })

/** The version of the contract in GET /openapi.json; null when the service has none. */
export async function contractVersion(options: OpenCallOptions): Promise<string | null> {
  try {
    const call = { method: 'GET', path: '/openapi.json', schema: Contract, repetition: 'once' } as const
    return (await openCall(options, call)).value.info.version
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}
