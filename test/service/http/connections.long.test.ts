import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestStore, startTestService, type TestService, type TestStore } from './test-service.ts'

let store: TestStore

beforeAll(async () => {
  store = await openTestStore()
})
afterAll(async () => await store?.close())

/** A socket of its own that keeps what it received. */
async function open(
  service: TestService,
): Promise<{ socket: Socket; received: () => string; closed: Promise<unknown> }> {
  const socket = connect(service.port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  // The server may reset a connection that it has given up; closed is closed.
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await once(socket, 'connect')
  return { socket, received: () => text, closed }
}

describe('the rest of a body after an early answer', () => {
  const HEAD = 'POST /v1/datasets HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000000\r\n\r\n'

  it('is read and discarded up to a number of bytes, then the connection ends', async () => {
    const service = await startTestService(store, { limits: { discardBytes: 200_000 } })
    try {
      const { socket, received, closed } = await open(service)
      socket.write(HEAD)
      await once(socket, 'data')
      const chunk = Buffer.alloc(65_536)
      const pump = () => {
        while (socket.writable && socket.write(chunk));
      }
      socket.on('drain', pump)
      pump()
      await closed
      expect(received()).toMatch(/^HTTP\/1\.1 401 /)
      expect(socket.bytesWritten).toBeLessThan(1_000_000_000_000)
    } finally {
      await service.close()
    }
  })

  it('is waited for a time, then the connection ends', async () => {
    const service = await startTestService(store, { limits: { discardMs: 20 } })
    try {
      const { socket, received, closed } = await open(service)
      socket.write(HEAD)
      await closed
      expect(received()).toMatch(/^HTTP\/1\.1 401 /)
    } finally {
      await service.close()
    }
  })

  it('leaves the connection usable when it arrives in time', async () => {
    const service = await startTestService(store)
    try {
      const { socket, received } = await open(service)
      const body = 'x'.repeat(300_000)
      socket.write(`POST /v1/datasets HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`)
      await once(socket, 'data')
      socket.write(`${body}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`)
      while (!/"status":"ok"/.test(received())) await once(socket, 'data')
      expect(received().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200'])
      socket.destroy()
    } finally {
      await service.close()
    }
  })
})

describe('a request body without a token, beyond the bytes that are read for all such requests', () => {
  const JSON_TYPE = 'Host: x\r\nContent-Type: application/json\r\n'
  const ENDLESS = `${(1 << 30).toString(16)}\r\n`

  it.each([
    ['is too large', 413, `POST /v1/signup HTTP/1.1\r\n${JSON_TYPE}Content-Length: 1000000000000\r\n\r\n`],
    [
      'does not tell its length',
      413,
      `POST /v1/signup HTTP/1.1\r\n${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n${ENDLESS}`,
    ],
    ['is for somebody known', 401, 'POST /v1/datasets HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000000\r\n\r\n'],
    ['is for nothing', 404, 'POST /v2 HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000000\r\n\r\n'],
  ])('with %s is not read, and the connection ends', async (_name, status, head) => {
    const service = await startTestService(store, { limits: { strangerBytes: 0 } })
    try {
      const accepted = once(service.app.server, 'connection') as Promise<[Socket]>
      const { socket, received, closed } = await open(service)
      const [server] = await accepted
      const gone = once(server, 'close')
      const chunk = Buffer.alloc(65_536, ' ')
      const pump = () => {
        while (socket.writable && socket.write(chunk));
      }
      socket.on('drain', pump)
      socket.write(head)
      pump()
      await Promise.all([gone, closed])
      expect(received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*connection: close`, 'i'))
      expect(server.bytesRead).toBeLessThan(1_000_000)
    } finally {
      await service.close()
    }
  })

  it('can be sent whole when it is small, and the connection stays usable', async () => {
    const service = await startTestService(store, { limits: { strangerBytes: 0 } })
    try {
      const { socket, received } = await open(service)
      const body = 'x'.repeat(8 * 1024)
      socket.write(`POST /v1/datasets HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`)
      await once(socket, 'data')
      socket.write(`${body}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`)
      while (!/"status":"ok"/.test(received())) await once(socket, 'data')
      expect(received().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200'])
      socket.destroy()
    } finally {
      await service.close()
    }
  })
})

describe('a service that closes', () => {
  it('lets requests under way finish, refuses others with 503, and keeps no connection', async () => {
    const held = withResolvers()
    const entered = withResolvers()
    const service = await startTestService(store, {
      extend: (app) => {
        app.get('/test/held', async () => {
          entered.resolve()
          await held.promise
          return { done: true }
        })
        app.addHook('preClose', async () => closing.resolve())
      },
    })
    const closing = withResolvers()
    const first = await open(service)
    const connected = once(service.app.server, 'connection') as Promise<[Socket]>
    const late = await open(service)
    // Half of its head is there when the service begins to close: it is neither idle nor a request yet.
    late.socket.write('GET /healthz HTTP/1.1\r\n')
    const [lateAtServer] = await connected
    await expect.poll(() => lateAtServer.bytesRead).toBeGreaterThan(0)
    first.socket.write('GET /test/held HTTP/1.1\r\nHost: x\r\n\r\n')
    await entered.promise
    const ended = service.close()
    await closing.promise
    const second = once(service.app.server, 'request')
    late.socket.write('Host: x\r\n\r\n')
    await second
    held.resolve()
    await ended
    await Promise.all([first.closed, late.closed])
    expect(first.received()).toMatch(/HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*\{"done":true\}/i)
    expect(late.received()).toMatch(
      /HTTP\/1\.1 503 [\s\S]*connection: close[\s\S]*retry-after: 1[\s\S]*"code":"svc_unavailable"/i,
    )
  })
})

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
