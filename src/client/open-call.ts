import type { z } from 'zod'
import { addressUnder, checkedAddress } from './address-rules.ts'
import { inScope } from './call-scope.ts'
import { type Bearer, callForJson } from './call-service.ts'
import type { Repetition } from './retry-timing.ts'
import type { CallOptions, Reply } from './service-client.ts'
import { createTransport, type Transport, type TransportOptions } from './transport.ts'

/** The destination of single calls outside a `ServiceClient`. */
export interface OpenCallOptions extends TransportOptions, CallOptions {
  /** The service; https, or http on loopback. */
  readonly baseUrl: string
}

/**
 * One call that needs no client token. It opens its own connection and closes it. `bearer` is a fixed token, or creates
 * a source of tokens over that connection. Rejects like the methods of `ServiceClient`.
 */
export async function openCall<S extends z.ZodType>(
  options: OpenCallOptions,
  call: {
    readonly method: 'GET' | 'POST'
    /** Path with its query. */
    readonly path: string
    /** Path for messages, if it differs. */
    readonly shownPath?: string
    readonly body?: unknown
    readonly schema: S
    readonly repetition: Repetition
    readonly bearer?: string | ((transport: Transport) => Bearer)
    /** In addition to `accept`, content type and authorization. */
    readonly headers?: Readonly<Record<string, string>>
    readonly secrets?: readonly string[]
  },
): Promise<Reply<z.infer<S>>> {
  const { method, body, bearer } = call
  const url = addressUnder(checkedAddress(options.baseUrl, 'address of the service'), call.path)
  const transport = createTransport(options)
  const { now, closing, timeouts } = transport
  const tokens: Bearer | null =
    bearer === undefined
      ? null
      : typeof bearer === 'string'
        ? { get: async () => bearer, discard: () => false }
        : bearer(transport)
  try {
    return await inScope({ call: options, limitMs: timeouts.callMs, closing, now }, (scope) =>
      callForJson(transport, scope, {
        asked: `${method} ${call.shownPath ?? url.pathname}`,
        repetition: call.repetition,
        target: { party: 'the service', origin: url.origin },
        bearer: tokens,
        secrets: call.secrets ?? [],
        schema: call.schema,
        request: () => ({
          method,
          url,
          headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...call.headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      }),
    )
  } finally {
    await transport.close()
  }
}
