import fastify, { type FastifyInstance, LogController } from 'fastify'
import { addAuthentication, Gatekeeper } from './access/authentication.ts'
import { addOperatorAudit } from './access/operator-actions.ts'
import { TokenRevocations } from './access/token-revocations.ts'
import type { ServiceContext } from './context/context.ts'
import { addJsonParser } from './http/body-parsers.ts'
import { addClosing } from './http/closing.ts'
import { addDeprecations } from './http/deprecations.ts'
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from './http/http-limits.ts'
import { answerConnect, answerExpectation, answerMalformedRequest } from './http/malformed-requests.ts'
import { addProblems, type ProblemSender, sendProblem } from './http/problem-record.ts'
import { addAddressRateLimit, addClientRateLimit } from './http/rate-limits.ts'
import { addRoutingErrors, RouteIndex } from './http/routing.ts'
import { addUnreadBodyBounds } from './http/unread-bodies.ts'
import { artifactRoutes } from './routes/artifacts.ts'
import { credentialClaimRoutes, credentialRotationRoutes } from './routes/credentials.ts'
import { datasetRoutes } from './routes/datasets.ts'
import { documentationRoutes, pageBookOf, problemsOrPages } from './routes/documentation.ts'
import { estimateRoutes } from './routes/estimates.ts'
import { generationRoutes } from './routes/generations.ts'
import { healthRoutes, metricsRoute } from './routes/health.ts'
import { jobRoutes } from './routes/jobs.ts'
import { operatorActionRoutes, operatorOverviewRoutes, operatorRoutes } from './routes/operator.ts'
import { operatorArtifactRoutes, operatorJobRoutes, operatorSweepRoutes } from './routes/operator-resources.ts'
import { operatorTenantRoutes } from './routes/operator-tenants.ts'
import { signupRoutes } from './routes/signup.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { uploadRoutes } from './routes/uploads.ts'
import { usageRoutes } from './routes/usage.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { newIdentifier } from './store/identifiers.ts'
import { logEvents, loggerOptions, requestLog } from './telemetry/logging.ts'
import { addRequestWatch, type RequestWatcher } from './telemetry/request-watch.ts'

/**
 * The service as an app that does not listen yet. A request meets its hooks in this sequence: request id, closing, rate
 * per address, authentication, rate per client, 404 and 405. Then fastify parses the body (content type, size, shape of
 * the JSON) and the route checks the rest.
 */
export function createApp(context: ServiceContext, overrides: Partial<HttpLimits> = {}): FastifyInstance {
  const limits = { ...DEFAULT_HTTP_LIMITS, ...overrides }
  const { addresses, settings, now } = context
  const openBook = pageBookOf(context)
  const send: ProblemSender =
    settings.role === 'worker'
      ? (thrown, request, reply) => sendProblem(thrown, request, reply, addresses)
      : problemsOrPages(addresses, openBook)
  const app = fastify({
    genReqId: () => newIdentifier('req'),
    requestIdHeader: false,
    logger: loggerOptions(settings.logLevel),
    // `requestLog` writes one line per request instead.
    logController: new LogController({ disableRequestLogging: true }),
    // Only behind these proxies does X-Forwarded-For determine `request.ip`; from any other peer the header is ignored.
    trustProxy: settings.trustedProxies.length === 0 ? false : [...settings.trustedProxies],
    // A hook refuses it instead, with a problem record.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: limits.requestTimeoutMs,
    connectionTimeout: limits.idleTimeoutMs,
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckMs,
      requireHostHeader: false,
    },
    // Identifiers are short, signed artifact addresses are longer. Beyond this length there is no such resource.
    routerOptions: { maxParamLength: 1024 },
    clientErrorHandler: answerMalformedRequest,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Errors before routing: bad percent-encoding, too long parameters. Hooks do not run for them.
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
      new Promise<void>((settle) => settle(gatekeeper.check(request))).then(
        () => send(error, request, reply),
        (refusal) => send(refusal, request, reply),
      )
    },
  })
  app.server.on('checkExpectation', answerExpectation)
  app.server.on('connect', answerConnect)

  const routes = new RouteIndex(app)
  const revocations = new TokenRevocations(context.db)
  const gatekeeper = new Gatekeeper(context, revocations, (path) => routes.isPublic(path))
  addProblems(app, send)
  const watchers: RequestWatcher[] = settings.logLevel === 'silent' ? [] : [requestLog]
  app.decorateRequest('traceParent', null)
  if (context.traces !== undefined) watchers.push(context.traces.requests)
  addRequestWatch(app, watchers)
  if (context.events !== undefined) logEvents(app.log, context.events)
  addRequestIds(app)
  addDeprecations(app, context)
  addClosing(app)
  addUnreadBodyBounds(app, limits)
  if (settings.rateLimits) addAddressRateLimit(app, settings.addressRate, now)
  addAuthentication(app, gatekeeper)
  if (settings.rateLimits) addClientRateLimit(app, settings.clientRate, now)
  addRoutingErrors(app, routes)
  addJsonParser(app, limits)
  addOperatorAudit(app, context)

  if (settings.metrics && settings.operatorToken !== null) app.register(metricsRoute(context, watchers))
  app.register(healthRoutes(context))
  if (settings.role === 'worker') return app
  app.register(signupRoutes(context))
  app.register(credentialClaimRoutes(context))
  app.register(credentialRotationRoutes(context))
  app.register(tokenRoutes(context, limits))
  app.register(datasetRoutes(context, limits))
  app.register(uploadRoutes(context, limits))
  app.register(generationRoutes(context))
  app.register(estimateRoutes(context))
  app.register(jobRoutes(context))
  app.register(webhookRoutes(context))
  app.register(usageRoutes(context))
  app.register(artifactRoutes(context))
  app.register(documentationRoutes(context, openBook))
  if (settings.operatorToken !== null) {
    app.register(operatorRoutes(context))
    app.register(operatorTenantRoutes(context, revocations))
    app.register(operatorJobRoutes(context))
    app.register(operatorActionRoutes(context))
    app.register(operatorOverviewRoutes(context))
    app.register(operatorSweepRoutes(context))
    app.register(operatorArtifactRoutes(context))
  }
  return app
}

/** Routes check with the contract's zod types. Fastify would load its own compilers, ajv and fast-json-stringify, at every start. */
function noSchemas(): never {
  throw new Error('A route declares a fastify schema, but the service has no compiler for one.')
}

/**
 * Puts `X-Request-Id` on every reply first, so that no later failure can lose it. The app makes the id (`genReqId`); an
 * id in the request is ignored.
 */
function addRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    done()
  })
}
