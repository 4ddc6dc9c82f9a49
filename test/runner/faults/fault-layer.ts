import { randomInt } from 'node:crypto'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'

/**
 * An HTTP server on a port of its own that takes the place of a server: in front of a working service, or as
 * a storage of its own. Each request that arrives meets the fault that `faultFor` names, or is answered as it should be.
 */
export interface FaultLayer {
  readonly url: string
  /** Every request, in order of arrival. */
  readonly seen: readonly SeenRequest[]
  /** Ids that the faulty answers carried in `x-request-id`. */
  readonly requestIds: readonly string[]
  /** Faults that were met. */
  readonly strikes: number
  faultFor: (request: SeenRequest) => Fault | null
  /** Ends all connections and refuses new ones. */
  shut(): void
  /** Listens again, on the same port. */
  reopen(): Promise<void>
  close(): Promise<void>
}

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A function that answers a request without a fault. */
export type Handler = (request: SeenRequest) => Promise<Answer>

export interface Struck {
  readonly request: SeenRequest
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly layer: FaultLayer
  /** Has the request acted on, and gives the answer that should have been sent. */
  readonly act: () => Promise<Answer>
  /** An id for the header of the answer; the client is expected to show it. */
  readonly requestId: () => string
}

export type Fault = (struck: Struck) => void | Promise<void>

export async function startFaultLayer(handle: Handler): Promise<FaultLayer> {
  const seen: SeenRequest[] = []
  const requestIds: string[] = []
  let strikes = 0
  let port = 0

  const layer: FaultLayer = {
    get url() {
      return `http://127.0.0.1:${port}`
    },
    seen,
    requestIds,
    get strikes() {
      return strikes
    },
    faultFor: () => null,
    shut: () => {
      server.close()
      server.closeAllConnections()
    },
    reopen: async () => {
      if (!server.listening) await listen(port)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const listen = (at: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(at, '127.0.0.1', () => {
        server.off('error', reject)
        resolve()
      })
    })

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await readRequest(incoming)
    seen.push(request)
    const fault = layer.faultFor(request)
    if (fault === null) return send(outgoing, await handle(request))
    strikes++
    const requestId = () => {
      const id = `flt-${requestIds.length + 1}`
      requestIds.push(id)
      return id
    }
    await fault({ request, incoming, outgoing, layer, act: () => handle(request), requestId })
  }
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  port = await listenSomewhere(listen)
  return layer
}

/** Systems choose ports above these for others, so that one is still free when a layer that was shut listens again. */
const PORTS = { from: 26_000, to: 32_000 }

async function listenSomewhere(listen: (port: number) => Promise<void>): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to)
    try {
      await listen(port)
      return port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
}

export function send(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  outgoing.writeHead(status, { ...headers, 'content-length': String(body.length) }).end(body)
}

/** Hands requests on to the service at `url`. */
export function forwardTo(url: () => string): Handler {
  return ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const onwards = httpRequest(`${url()}${path}`, { method, headers: { ...headers, connection: 'close' } })
      onwards.on('error', reject).on('response', (reply) => {
        readAll(reply).then(
          (bytes) => resolve({ status: reply.statusCode ?? 0, headers: plain(reply), body: bytes }),
          reject,
        )
      })
      onwards.end(body)
    })
}

async function readRequest(incoming: IncomingMessage): Promise<SeenRequest> {
  const body = await readAll(incoming)
  return { method: incoming.method ?? '', path: incoming.url ?? '', headers: plain(incoming), body }
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** Headers without those that belong to one connection. */
function plain({ headers }: IncomingMessage): Record<string, string> {
  const own = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'])
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && !own.has(name) ? [[name, value]] : [],
    ),
  )
}
