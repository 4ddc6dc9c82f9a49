import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { INDEX_PATHS, type ServiceIndex } from '../../contract/health.ts'
import type { Addresses, ServiceContext } from '../context/context.ts'
import { ProblemError } from '../http/problem-error.ts'
import { type ProblemSender, problemOf, sendProblem } from '../http/problem-record.ts'
import { wantsHtml } from '../http/request-headers.ts'
import { pathOf } from '../http/routing.ts'
import { type StaticDocument, sendDocument } from '../http/static-document.ts'
import type { PageBook } from '../pages/page-book.ts'

/** `/`, the guide, the reference with its files, the error catalogue, the OpenAPI document, the plain guides. */
export function documentationRoutes(context: ServiceContext, openBook: () => Promise<PageBook>): FastifyPluginAsync {
  return async (app) => {
    app.get('/', async (request, reply) => {
      reply.header('vary', 'accept')
      const pages = await openBook()
      return sendDocument(request, reply, wantsHtml(request) ? pages.start() : pages.index(indexOf(context)))
    })

    const config = { rateLimit: 'address' } as const
    const serve = (path: string, read: (book: PageBook) => StaticDocument): void => {
      app.get(path, { config }, async (request, reply) => sendDocument(request, reply, read(await openBook())))
    }
    serve('/docs', (pages) => pages.guide())
    serve('/__docs__/', (pages) => pages.reference())
    serve('/explore', (pages) => pages.explore())
    if (context.settings.operatorToken !== null) serve('/dashboard', (pages) => pages.dashboard())
    // Relative, so that it works under any public address.
    app.get('/__docs__', { config }, async (_request, reply) => reply.redirect('__docs__/', 308))
    serve('/openapi.json', (pages) => pages.openApi())
    serve('/llms.txt', (pages) => pages.shortGuide())
    serve('/llms-full.txt', (pages) => pages.fullGuide())

    app.get('/favicon.ico', { config }, async (request, reply) => {
      return sendFound(request, reply, await (await openBook()).asset('icon.svg'), 'file')
    })

    app.get<{ Params: { file: string } }>('/__docs__/:file', { config }, async (request, reply) => {
      return sendFound(request, reply, await (await openBook()).asset(request.params.file), 'file')
    })

    app.get('/errors', { config }, async (request, reply) => {
      reply.header('vary', 'accept')
      const pages = await openBook()
      return sendDocument(request, reply, wantsHtml(request) ? pages.errorIndex() : pages.errorIndexRecord())
    })

    app.get<{ Params: { code: string } }>('/errors/:code', { config }, async (request, reply) => {
      reply.header('vary', 'accept')
      const pages = await openBook()
      const { code } = request.params
      return sendFound(request, reply, wantsHtml(request) ? pages.error(code) : pages.errorRecord(code), 'error code')
    })
  }
}

function sendFound(
  request: FastifyRequest,
  reply: FastifyReply,
  document: StaticDocument | null,
  kind: string,
): FastifyReply {
  if (document === null) throw new ProblemError('svc_not_found', `There is no such ${kind}.`)
  return sendDocument(request, reply, document)
}

function indexOf({ settings, addresses }: ServiceContext): ServiceIndex {
  return {
    service: 'whatif',
    version: settings.version,
    ...INDEX_PATHS,
    // Another provider's token operation may be anywhere.
    ...(settings.identityProvider === null && { token_url: `${addresses.authUrl}/oauth/token` }),
  }
}

/** Paths of operations: programs call them, and read problem records whatever they accept. */
const OPERATION_PATHS = /^\/(?:v1|operator|oauth|\.well-known)(?:\/|$)/

/** Sends problem records, except to a browser that requests a missing page: it gets a page. */
export function problemsOrPages(addresses: Addresses, openBook: () => Promise<PageBook>): ProblemSender {
  return (thrown, request, reply) => {
    if (!asksForMissingPage(thrown, request)) return void sendProblem(thrown, request, reply, addresses)
    reply.header('vary', 'accept')
    if (!wantsHtml(request)) return void sendProblem(thrown, request, reply, addresses)
    openBook().then(
      (book) => sendMissingPage(book, request, reply),
      (error) => sendProblem(error, request, reply, addresses),
    )
  }
}

function asksForMissingPage(thrown: unknown, request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  return !OPERATION_PATHS.test(pathOf(request.url)) && problemOf(thrown, request.id, '').body.status === 404
}

function sendMissingPage(book: PageBook, request: FastifyRequest, reply: FastifyReply): void {
  const { contentType, body, headers } = book.missing(request.id)
  reply.code(404).headers(headers).header('cache-control', 'no-store').header('content-type', contentType).send(body)
}

/**
 * The pages of a service, loaded at the first request: the addresses are known by then, and most runs never show a
 * page.
 */
export function pageBookOf({ settings, addresses }: ServiceContext): () => Promise<PageBook> {
  let book: Promise<PageBook> | null = null
  return () => {
    const { version, claims, rateLimits, clientRate, addressRate, disclosure, webhooks } = settings
    // The owner of the seed is not counted.
    const clientQuestions = disclosure === 'exact' ? null : settings.clientQuestions
    const foreignIssuer = settings.identityProvider?.issuer ?? null
    book ??= import('../pages/page-book.ts').then(
      ({ PageBook }) =>
        new PageBook({
          ...{ ...addresses, takesExtensions: disclosure === 'exact', foreignIssuer, version, claims },
          ...{ rateLimits, clientRate, addressRate, clientQuestions, webhooks },
        }),
    )
    return book
  }
}
