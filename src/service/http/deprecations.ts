import type { FastifyInstance } from 'fastify'
import { deprecationHeaders, deprecationOf } from '../../contract/deprecation.ts'
import type { Deprecation } from '../../contract/operation.ts'
import { operationOf } from './routing.ts'

/**
 * Tells the end of an operation in each of its replies, refusals included: a client that only ever gets errors must learn
 * of it, too. Added before anything may refuse.
 */
export function addDeprecations(
  app: FastifyInstance,
  { addresses, endOfV1 }: { readonly addresses: { readonly baseUrl: string }; readonly endOfV1?: Deprecation },
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const operation = operationOf(request)
    const deprecation = operation === null ? null : deprecationOf(operation, endOfV1)
    if (deprecation !== null) reply.headers(deprecationHeaders(deprecation, addresses.baseUrl))
    done()
  })
}
