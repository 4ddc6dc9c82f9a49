import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * A balancer before the api processes: gives each connection to the next of them, and to another if that one accepts
 * none. It knows nothing of HTTP, so that a dying process breaks its requests.
 */
export class Balancer {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #turn = 0

  static async start(port: number, targets: readonly number[]): Promise<Balancer> {
    const balancer = new Balancer(targets)
    balancer.#server.listen(port, '127.0.0.1')
    await once(balancer.#server, 'listening')
    return balancer
  }

  private constructor(targets: readonly number[]) {
    this.#server = createServer((client) => {
      this.#keep(client)
      this.#forward(client, targets, this.#turn++, targets.length)
    })
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #forward(client: Socket, targets: readonly number[], turn: number, left: number): void {
    if (left === 0) {
      client.destroy()
      return
    }
    const target = connect(targets[turn % targets.length] as number, '127.0.0.1')
    this.#keep(target)
    const tryNext = (): void => this.#forward(client, targets, turn + 1, left - 1)
    target.once('error', tryNext)
    target.once('connect', () => {
      target.off('error', tryNext)
      client.pipe(target).pipe(client)
      client.once('close', () => target.destroy())
      target.once('close', () => client.destroy())
    })
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    // Balancers ignore a peer that breaks off; "close" follows.
    socket.on('error', () => undefined)
  }
}
