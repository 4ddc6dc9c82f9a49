import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface Delivery {
  readonly id: string
  readonly body: string
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every kind
  readonly event: any
}

export interface Receiver {
  readonly url: string
  readonly deliveries: Delivery[]
  /** What the next requests get; 200 unless it is set. */
  answer: (delivery: Delivery, reply: ServerResponse) => void
  /** Resolves when that many have arrived. */
  received(count: number): Promise<readonly Delivery[]>
  close(): Promise<void>
}

/** A receiver of webhooks on loopback that notes everything it gets. */
export async function startReceiver(): Promise<Receiver> {
  const deliveries: Delivery[] = []
  let onDelivery = (): void => undefined
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const { headers } = request
      const delivery = { id: String(headers['webhook-id']), body, headers, event: JSON.parse(body) }
      deliveries.push(delivery)
      onDelivery()
      receiver.answer(delivery, reply)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    deliveries,
    answer: (_delivery, reply) => reply.writeHead(204).end(),
    async received(count) {
      while (deliveries.length < count) {
        await new Promise<void>((resolve) => {
          onDelivery = resolve
        })
      }
      return deliveries
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}

/** Whether a library of Standard Webhooks takes the delivery for genuine. */
export function isGenuine(delivery: Delivery, secret: string): boolean {
  try {
    new Webhook(secret).verify(delivery.body, delivery.headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}
