import type { FastifyPluginAsync } from 'fastify'
import { EstimateRequest, type Estimates } from '../../contract/estimates.ts'
import type { ServiceContext } from '../context/context.ts'
import { Estimator } from '../estimates/estimator.ts'
import { endOfWait } from '../http/closing.ts'
import { checkBody } from '../http/request-shape.ts'

/** What the seed itself says about the difference of two scenarios. Creates nothing and bills nothing. */
export function estimateRoutes(context: ServiceContext): FastifyPluginAsync {
  return async (app) => {
    const estimator = new Estimator(context)
    app.addHook('onClose', async () => await estimator.close())
    app.post<{ Params: { dataset_id: string } }>(
      '/v1/datasets/:dataset_id/estimates',
      async (request, reply): Promise<Estimates> =>
        await estimator.estimate({
          tenantId: request.identity.tenantId,
          clientId: request.identity.clientId,
          datasetId: request.params.dataset_id,
          requestId: request.id,
          body: checkBody(EstimateRequest, request.body),
          signal: endOfWait(reply),
        }),
    )
  }
}
