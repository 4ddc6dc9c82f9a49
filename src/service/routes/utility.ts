import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { ServiceIndex } from '../../contract/health.ts'
import { buildOpenApi } from '../../contract/openapi.ts'
import type { ServiceContext } from '../context.ts'

/** `/openapi.json` and `/`. */
export function utilityRoutes(context: ServiceContext): FastifyPluginAsync {
  const { addresses, settings } = context
  return async (app) => {
    // Built at the first request, when the addresses are known.
    let openApi: { readonly baseUrl: string; readonly text: string } | null = null
    app.get('/openapi.json', async (_request, reply) => {
      if (openApi?.baseUrl !== addresses.baseUrl) {
        openApi = { baseUrl: addresses.baseUrl, text: JSON.stringify(buildOpenApi(addresses.baseUrl), null, 2) }
      }
      return reply.header('content-type', 'application/json; charset=utf-8').send(openApi.text)
    })

    app.get('/', async (request, reply) => {
      reply.header('vary', 'accept')
      if (wantsHtml(request)) {
        return reply
          .header('content-type', 'text/html; charset=utf-8')
          .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
          .send(page(settings.version))
      }
      const index: ServiceIndex = {
        service: 'whatif',
        version: settings.version,
        openapi: '/openapi.json',
        health: '/healthz',
        signup: '/v1/signup',
        // Another provider has its token operation where it likes.
        ...(settings.identityProvider === null && { token_url: `${addresses.authUrl}/oauth/token` }),
      }
      return index
    })
  }
}

/** Browsers name text/html; clients that take anything get JSON. */
function wantsHtml(request: FastifyRequest): boolean {
  return /(^|[,\s])text\/html\b/i.test(request.headers.accept ?? '')
}

function page(version: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>whatif service</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}</style>
<h1>whatif service</h1>
<p>Synthetic rows that follow a stated scenario: upload a dataset, read its cleaned schema, ask for generations.</p>
<ul>
<li><a href="/openapi.json">Machine-readable contract</a> (OpenAPI 3.1)</li>
<li><a href="/healthz">Health</a></li>
</ul>
<p>Version ${version.replace(/[^A-Za-z0-9.+-]/g, '')}. Access begins with <code>POST /v1/signup</code>.</p>
</html>
`
}
