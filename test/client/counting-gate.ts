import { request as ask, createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type DataService, TENANT_A } from '../service/data/data-service.ts'

/** Passes requests on to the service, and counts the bytes of their bodies that arrive. */
export interface Gate {
  readonly url: string
  sentBytes: number
  /** The connection breaks once, when so many bytes have arrived. */
  cutAfter: number
  /** Answers in place of the service; absent: the service does. */
  instead: (line: string) => { readonly status: number; readonly body: object } | undefined
  readonly lines: string[]
  close(): Promise<void>
}

/** Tokens are those of tenant A, whoever asks for them. */
export async function openGate(service: DataService): Promise<Gate> {
  const server: Server = createServer((incoming, reply) => {
    const { method, url = '' } = incoming
    const line = `${method} ${url.split('?')[0]?.replace(/upl_\w+/, ':id')}`
    gate.lines.push(line)
    const answer = (status: number, body: object) =>
      void incoming.resume().on('end', () => {
        reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      })
    const own = gate.instead(line)
    if (own !== undefined) return answer(own.status, own.body)
    if (line === 'POST /oauth/token') {
      void service
        .token(TENANT_A)
        .then((access_token) => answer(200, { access_token, token_type: 'Bearer', expires_in: 900 }))
      return
    }
    const onward = ask(
      `${service.baseUrl}${url}`,
      { method, headers: incoming.headers },
      (answered: IncomingMessage) => {
        reply.writeHead(answered.statusCode ?? 0, answered.headers)
        answered.pipe(reply)
      },
    )
    onward.on('error', () => incoming.socket.destroy())
    incoming.on('data', (piece: Buffer) => {
      gate.sentBytes += piece.length
      if (gate.sentBytes < gate.cutAfter) return
      gate.cutAfter = Number.POSITIVE_INFINITY
      incoming.socket.destroy()
      onward.destroy()
    })
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const gate: Gate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sentBytes: 0,
    cutAfter: Number.POSITIVE_INFINITY,
    instead: () => undefined,
    lines: [],
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return gate
}
