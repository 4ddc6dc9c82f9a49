/**
 * An HTTP server on a free port that answers each route with the next step of its script and keeps the requests.
 * Steps can do what a real service or the network does wrong: reset, stop half-way, answer with a page of a proxy.
 * The token operation (`POST /oauth/token`) is scripted like any other, and mints numbered tokens when it is not.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: IncomingHttpHeaders
  /** Bytes of the body so far; whole only when `complete`. */
  readonly body: Buffer
  readonly bodyBytes: number
  readonly bodySha256: string
  readonly complete: boolean
}

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Resolves when the whole request body has been received, rejects when it breaks off. */
  readonly received: () => Promise<Buffer>
  /** Number of this request among those of its route, from 1. */
  readonly nth: number
}

/** One answer, or an action in its place. */
export type Step = (exchange: Exchange) => void | Promise<void>

export interface ScriptedService {
  readonly url: string
  readonly requests: readonly ReceivedRequest[]
  /** Adds steps to `METHOD /path`. Each answers one request; the last answers all that follow. */
  on(route: string, ...steps: Step[]): void
  /** Requests of one route, in order of arrival. */
  to(route: string): ReceivedRequest[]
  /** Resolves when `route` has been asked `count` times. */
  asked(route: string, count?: number): Promise<void>
  close(): Promise<void>
}

export const TOKEN_ROUTE = 'POST /oauth/token'

/** Bodies are kept up to this size; of longer ones only the hash and the length. */
const KEPT_BYTES = 1024 * 1024

export async function startScriptedService(): Promise<ScriptedService> {
  const scripts = new Map<string, { steps: Step[]; count: number }>()
  const requests: ReceivedRequest[] = []
  const waiting: { route: string; count: number; resolve: () => void }[] = []
  const of = (route: string) => requests.filter(({ method, path }) => `${method} ${path}` === route)
  let minted = 0

  const server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const route = `${request.method} ${path}`
    const { record, received } = receive(request, path, query)
    requests.push(record)
    for (const waiter of waiting) if (of(waiter.route).length >= waiter.count) waiter.resolve()
    const script = scripts.get(route)
    if (script === undefined) {
      if (route === TOKEN_ROUTE) return void token(`token-${++minted}`)({ request, response, received, nth: minted })
      return void json(
        { detail: `nothing is scripted for ${route}` },
        { status: 501 },
      )({ request, response, received, nth: 1 })
    }
    const step = script.steps[Math.min(script.count, script.steps.length - 1)]
    script.count++
    // A step whose request broke off has nothing left to do.
    Promise.resolve(step?.({ request, response, received, nth: script.count })).catch(() => request.destroy())
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    on(route, ...steps) {
      const script = scripts.get(route) ?? { steps: [], count: 0 }
      script.steps.push(...steps)
      scripts.set(route, script)
    },
    to: of,
    asked: (route, count = 1) =>
      new Promise((resolve) => {
        if (of(route).length >= count) resolve()
        else waiting.push({ route, count, resolve })
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function receive(request: IncomingMessage, path: string, query: string) {
  const hash = createHash('sha256')
  const kept: Buffer[] = []
  let bytes = 0
  let complete = false
  const whole = new Promise<Buffer>((resolve, reject) => {
    request.on('data', (piece: Buffer) => {
      hash.update(piece)
      bytes += piece.length
      if (bytes <= KEPT_BYTES) kept.push(piece)
    })
    request.on('end', () => {
      complete = true
      resolve(Buffer.concat(kept))
    })
    request.on('error', reject)
    request.on('close', () => reject(new Error('the request broke off')))
  })
  whole.catch(() => {})
  const record: ReceivedRequest = {
    method: request.method ?? '',
    path,
    query,
    headers: request.headers,
    get body() {
      return Buffer.concat(kept)
    },
    get bodyBytes() {
      return bytes
    },
    get bodySha256() {
      return hash.copy().digest('hex')
    },
    get complete() {
      return complete
    },
  }
  return { record, received: () => whole }
}

export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Any body, after the request has been received whole. */
export const answer =
  (body: string | Buffer, { status = 200, headers = {} }: Answer = {}): Step =>
  async ({ response, received }) => {
    await received()
    response.writeHead(status, headers).end(body)
  }

/** A JSON record. */
export const json = (value: unknown, { status = 200, headers = {} }: Answer = {}): Step =>
  answer(JSON.stringify(value), { status, headers: { 'content-type': 'application/json', ...headers } })

/** A problem record with the service's own request id in header and body. */
export const problem =
  (
    status: number,
    code: string | null,
    {
      headers = {},
      requestId,
      ...fields
    }: { headers?: Record<string, string>; requestId?: string; [field: string]: unknown } = {},
  ): Step =>
  async (exchange) => {
    const id = requestId ?? `srv-${exchange.nth}`
    const record = {
      type: code === null ? 'about:blank' : `https://service.example/errors/${code}`,
      title: 'Problem',
      status,
      detail: `The request was refused with ${status}.`,
      ...(code === null ? {} : { code }),
      request_id: id,
      ...fields,
    }
    await json(record, {
      status,
      headers: { 'content-type': 'application/problem+json', 'x-request-id': id, ...headers },
    })(exchange)
  }

export const token = (value: string, expiresIn: unknown = 86_400): Step =>
  json({ access_token: value, token_type: 'Bearer', expires_in: expiresIn })

/** The connection is reset as soon as the headers of the request are there: the service has done nothing. */
export const resetAtOnce: Step = ({ request }) => {
  request.socket.resetAndDestroy()
}

/** The connection is reset after the whole request was received: the service may have acted. */
export const resetAfterActing: Step = async ({ request, received }) => {
  await received()
  request.socket.resetAndDestroy()
}

/** Announces the whole of `body`, sends half of it and closes. */
export const halfOf =
  (body: string | Buffer, { status = 200, headers = {} }: Answer = {}): Step =>
  async ({ request, response, received }) => {
    await received()
    const bytes = Buffer.from(body)
    response.writeHead(status, { 'content-length': String(bytes.length), ...headers })
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => request.socket.destroy())
  }

/** Sends the beginning of a JSON body and then nothing more. */
export const stall: Step = async ({ response, received }) => {
  await received()
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"job_id":')
}

/** Receives and never answers. */
export const silence: Step = async ({ received }) => {
  await received()
}

/** The answer of a proxy without a service behind it. */
export const badGateway = answer('<html><body><h1>502 Bad Gateway</h1>nginx</body></html>', {
  status: 502,
  headers: { 'content-type': 'text/html' },
})

/** A body of `bytes` bytes that is made while it is sent. */
export const hugeBody =
  (bytes: number, { status = 200, headers = {} }: Answer = {}): Step =>
  async ({ response, received }) => {
    await received()
    const piece = Buffer.alloc(64 * 1024, 'x')
    response.writeHead(status, { 'content-length': String(bytes), ...headers })
    let wake = () => {}
    response.on('drain', () => wake()).on('close', () => wake())
    for (let sent = 0; sent < bytes && !response.destroyed; sent += piece.length) {
      if (response.write(piece.subarray(0, Math.min(piece.length, bytes - sent)))) continue
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    response.end()
  }

/** Answers before the body of the request has been received, and continues to receive it. */
export const answerEarly =
  (status: number, body: string, headers: Record<string, string> = {}): Step =>
  ({ response }) => {
    response
      .writeHead(status, { 'content-type': 'application/problem+json', connection: 'close', ...headers })
      .end(body)
  }
