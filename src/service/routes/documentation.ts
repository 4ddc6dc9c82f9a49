import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { INDEX_PATHS, type ServiceIndex } from '../../contract/health.ts'
import type { ServiceContext } from '../context.ts'
import { wantsHtml } from '../http/accept.ts'
import { ProblemError } from '../http/problem-error.ts'
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
    if (context.settings.operatorToken !== null) serve('/dashboard', (pages) => pages.dashboard())
    // Relative, so that it holds under any public address.
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
    // Another provider has its token operation where it likes.
    ...(settings.identityProvider === null && { token_url: `${addresses.authUrl}/oauth/token` }),
  }
}
