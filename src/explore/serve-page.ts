import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A question is a few kilobytes: 200 columns with all their levels take less. */
const MOST_BYTES = 1024 * 1024

/** Names of this machine; the port may be another one, where it is forwarded. */
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/

export interface PageFiles {
  readonly html: string
  readonly script: string
  readonly style: string
}

export interface PageOptions {
  /** 0: any free one. */
  readonly port: number
  readonly files: PageFiles
  /** By `METHOD /path`: what it answers to whom has the token; null: the body is no such message. */
  readonly routes: Readonly<Record<string, (body: string) => unknown>>
  /** A report of a run, by a path that nobody can guess: a browser opens it without the token. */
  readonly reportAt?: (path: string) => string | null
}

export interface ServedPage {
  /** With the token in its fragment, which browsers never send. */
  readonly url: string
  readonly close: () => Promise<void>
}

/**
 * Serves the page on 127.0.0.1. The page itself holds no data; data are told to those who have the token. A DNS name that points to
 * this machine, and pages of other origins, are refused before anything is read.
 */
export async function servePage({ port, files, routes, reportAt = () => null }: PageOptions): Promise<ServedPage> {
  const token = randomBytes(32).toString('base64url')
  const server = createServer((request, response) => {
    handle(request, response).catch(() => end(response, 500, 'application/json', '{"message":"internal error"}'))
  })
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refuse = (status: number, message: string) =>
      end(response, status, 'application/json', JSON.stringify({ message }))
    const { host = '', origin } = request.headers
    if (!LOOPBACK.test(host)) return refuse(421, 'this page is served to this machine only')
    if (origin !== undefined && origin !== `http://${host}`) return refuse(403, 'another origin')
    const route = `${request.method} ${request.url}`
    if (route === 'GET /') return end(response, 200, 'text/html', files.html)
    if (route === 'GET /explore.js') return end(response, 200, 'text/javascript', files.script)
    if (route === 'GET /explore.css') return end(response, 200, 'text/css', files.style)
    const report = request.method === 'GET' ? reportAt(request.url ?? '') : null
    if (report !== null) return end(response, 200, 'text/html', report, REPORT_POLICY)
    if (!isToken(request.headers.authorization, token)) return refuse(401, 'the token is missing or wrong')
    const answer = Object.hasOwn(routes, route) ? routes[route] : undefined
    if (answer === undefined) return refuse(404, 'there is nothing here')
    const reply = await answer(request.method === 'POST' ? await bodyOf(request) : '')
    if (reply === null) return refuse(400, 'not such a message')
    return end(response, 200, 'application/json', JSON.stringify(reply))
  }
  await new Promise<void>((settle, fail) => {
    server.once('error', fail)
    server.listen(port, '127.0.0.1', settle)
  })
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${bound}/#token=${token}`,
    close: () =>
      new Promise((settle) => {
        server.close(() => settle())
        server.closeAllConnections()
      }),
  }
}

function isToken(header: string | undefined, token: string): boolean {
  const [given, wanted] = [Buffer.from(header ?? ''), Buffer.from(`Bearer ${token}`)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** Empty if it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MOST_BYTES) return ''
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** A report brings its own policy, with the digests of its script and style; it reaches nothing, not even this server. */
const REPORT_POLICY = "connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function end(response: ServerResponse, status: number, type: string, body: string, policy = POLICY): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  })
  response.end(body)
}
