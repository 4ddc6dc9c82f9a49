import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

const CONNECT_MS = 5_000
/** Time from a request's first byte to the answer's headers. It also bounds the time of one part. */
const HEADERS_MS = 60_000
/** The longest allowed silence within a body is between this and twice this. */
const BODY_IDLE_MS = 30_000

/** Connections wait for further requests, but not so long that the storage closes one just as it is used. */
const KEPT_ALIVE = { keepAlive: true, timeout: 4_000 }

export interface StorageRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
  readonly signal?: AbortSignal | undefined
}

/** Sends requests to an object storage over pooled connections. */
export class StorageRequests {
  readonly #agents = { 'http:': new HttpAgent(KEPT_ALIVE), 'https:': new HttpsAgent(KEPT_ALIVE) }

  /** Resolves with an answer whose body must be read to its end or destroyed. */
  send({ url, method, headers, body, signal }: StorageRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const options = { method, headers, ...(signal !== undefined && { signal }) }
      const isSecure = url.protocol === 'https:'
      const outgoing = isSecure
        ? httpsRequest(url, { ...options, agent: this.#agents['https:'] })
        : httpRequest(url, { ...options, agent: this.#agents['http:'] })
      const within = (ms: number) => setTimeout(() => outgoing.destroy(failure('ETIMEDOUT')), ms)
      let timer = within(CONNECT_MS)
      outgoing.on('socket', (socket) => {
        const onConnected = (): void => {
          clearTimeout(timer)
          timer = within(HEADERS_MS)
        }
        if (outgoing.reusedSocket) onConnected()
        else socket.once(isSecure ? 'secureConnect' : 'connect', onConnected)
      })
      // The listener stays until the connection ends: an error without a listener ends the process.
      outgoing.on('error', reject)
      outgoing.on('close', () => {
        clearTimeout(timer)
        reject(failure('ECONNRESET'))
      })
      outgoing.on('response', (incoming) => {
        clearTimeout(timer)
        // The stream itself reports this to its reader.
        incoming.on('error', () => undefined)
        watchSilence(incoming)
        resolve(incoming)
      })
      outgoing.end(body ?? undefined)
    })
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }
}

/** Aborts a stalled body. If the reader is late, bytes are waiting, and the body is left alone. */
function watchSilence(incoming: IncomingMessage): void {
  const { socket } = incoming
  let before = socket.bytesRead
  const timer = setInterval(() => {
    if (socket.bytesRead === before && incoming.readableLength === 0) incoming.destroy(failure('ETIMEDOUT'))
    before = socket.bytesRead
  }, BODY_IDLE_MS)
  incoming.on('close', () => clearInterval(timer))
}

const failure = (code: 'ETIMEDOUT' | 'ECONNRESET'): Error => Object.assign(new Error(code), { code })
