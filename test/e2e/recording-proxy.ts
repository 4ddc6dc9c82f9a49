import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly authorization: string | null
  readonly idempotencyKey: string | null
  readonly status: number
}

/** Passes all requests between a client and a service on loopback, and records them. */
export interface RecordingProxy {
  /** The address for clients. Give it to the service as its public address. */
  readonly baseUrl: string
  readonly seen: SeenRequest[]
  /** Bodies of the replies of the token operation. */
  readonly tokenReplies: string[]
  /** Sends further requests to the service at this address. */
  passOnTo(address: string): void
  close(): Promise<void>
}

export async function startRecordingProxy(): Promise<RecordingProxy> {
  const seen: SeenRequest[] = []
  const tokenReplies: string[] = []
  let target: URL | null = null

  const handle = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { method = 'GET', url = '/', headers } = incoming
    const onward = request(
      { host: target?.hostname, port: target?.port, method, path: url, headers },
      (reply: IncomingMessage) => {
        seen.push({
          method,
          path: url,
          authorization: headers.authorization ?? null,
          idempotencyKey: (headers['idempotency-key'] as string | undefined) ?? null,
          status: reply.statusCode ?? 0,
        })
        outgoing.writeHead(reply.statusCode ?? 502, reply.rawHeaders)
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('end', () => {
          if (url.startsWith('/oauth/token')) tokenReplies.push(Buffer.concat(chunks).toString('utf8'))
        })
        reply.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  }

  const server = createServer(handle)
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    tokenReplies,
    passOnTo(address) {
      target = new URL(address)
    },
    close: () =>
      new Promise((settle) => {
        server.closeAllConnections()
        server.close(() => settle())
      }),
  }
}
