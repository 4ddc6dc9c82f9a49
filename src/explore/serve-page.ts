import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ExploredDataset, Question, Reply } from './messages.ts'
import { readQuestion } from './read-question.ts'

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
  readonly dataset: ExploredDataset
  readonly ask: (question: Question) => Promise<Reply>
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
export async function servePage({ port, files, dataset, ask }: PageOptions): Promise<ServedPage> {
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
    if (!isToken(request.headers.authorization, token)) return refuse(401, 'the token is missing or wrong')
    if (route === 'GET /dataset') return end(response, 200, 'application/json', JSON.stringify(dataset))
    if (route !== 'POST /answers') return refuse(404, 'there is nothing here')
    const question = readQuestion(await bodyOf(request))
    if (question === null) return refuse(400, 'not a question')
    return end(response, 200, 'application/json', JSON.stringify(await ask(question)))
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

function end(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  })
  response.end(body)
}
