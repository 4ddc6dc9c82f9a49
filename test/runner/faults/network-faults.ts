import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { type Fault, send } from './fault-layer.ts'

/** Faults of networks, proxies and services that have been seen in place of an answer. `now` is the clock of the service. */

const HTML = { 'content-type': 'text/html; charset=utf-8' }

/** Seconds that a rate limit asks for. */
export const RETRY_AFTER_S = 7

export function rateLimit(retryAfter: () => Record<string, string>): Fault {
  return ({ outgoing, requestId }) => {
    const headers = { 'content-type': 'application/problem+json', 'x-request-id': requestId(), ...retryAfter() }
    const body = Buffer.from(JSON.stringify({ type: 'about:blank', title: 'Too Many Requests', status: 429 }))
    send(outgoing, { status: 429, headers, body })
  }
}

export const rateLimitInSeconds = rateLimit(() => ({ 'retry-after': String(RETRY_AFTER_S) }))

/** The service's clock is hours behind ours; only the distance of its two dates counts. */
export const rateLimitUntilDate = rateLimit(() => {
  const theirs = Date.UTC(2026, 10, 20, 3)
  const date = (ms: number) => new Date(ms).toUTCString()
  return { date: date(theirs), 'retry-after': date(theirs + RETRY_AFTER_S * 1000) }
})

/** A proxy's own page. `acted`: the service did its work, and its answer was lost behind the proxy. */
export const page =
  (status: number, { acted }: { acted: boolean }): Fault =>
  async ({ outgoing, act, requestId }) => {
    if (acted) await act()
    const body = Buffer.from(`<html><body><h1>${status}</h1><hr>proxy</body></html>\r\n`)
    send(outgoing, { status, headers: { ...HTML, 'x-request-id': requestId() }, body })
  }

/** The connection is reset, and nothing listens any more until the layer is opened again. */
export const refused: Fault = ({ layer }) => layer.shut()

export const resetBeforeActing: Fault = ({ incoming }) => {
  incoming.socket.resetAndDestroy()
}

export const resetAfterActing: Fault = async ({ incoming, act }) => {
  await act()
  incoming.socket.resetAndDestroy()
}

export const halfABody: Fault = async ({ incoming, outgoing, act }) => {
  const { status, headers, body } = await act()
  outgoing.writeHead(status, { ...headers, 'content-length': String(body.length) })
  outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => incoming.socket.destroy())
}

/** The request is acted on and never answered. */
export const silence: Fault = async ({ act }) => {
  await act()
}

/** An answer that comes byte by byte and never ends. */
export const trickle: Fault = async ({ outgoing, act }) => {
  const { status, headers } = await act()
  outgoing.writeHead(status, { ...headers, 'content-length': '1000000' })
  const timer = setInterval(() => outgoing.write(' '), 5)
  outgoing.on('close', () => clearInterval(timer))
}

/** A redirect to `target`, with the path of the request. */
export const redirectTo =
  (target: () => string): Fault =>
  ({ outgoing, request, requestId }) => {
    const headers = { location: `${target()}${request.path}`, 'x-request-id': requestId() }
    send(outgoing, { status: 307, headers, body: Buffer.alloc(0) })
  }

/** The page of a captive portal, with the status of a success. */
export const wrongContentType: Fault = async ({ outgoing, act, requestId }) => {
  await act()
  const headers = { ...HTML, 'x-request-id': requestId() }
  send(outgoing, { status: 200, headers, body: Buffer.from('<html><body>Please log in</body></html>') })
}

export const HUGE_BYTES = 50_000_000

export const hugeErrorBody: Fault = async ({ outgoing, requestId }) => {
  outgoing.writeHead(500, { 'content-type': 'text/plain', 'x-request-id': requestId() })
  await pour(outgoing, Buffer.alloc(64 * 1024, 'x'), HUGE_BYTES)
}

/** Writes `piece` again and again, as fast as it is read. */
async function pour(outgoing: ServerResponse, piece: Buffer, total: number): Promise<void> {
  const closed = once(outgoing, 'close')
  for (let sent = 0; sent < total && !outgoing.destroyed; sent += piece.length) {
    if (!outgoing.write(piece)) await Promise.race([once(outgoing, 'drain'), closed])
  }
  outgoing.end()
}

/** 64 MiB of spaces in 64 KiB. */
let bomb: Buffer | null = null

export const gzipBomb: Fault = async ({ outgoing, act, requestId }) => {
  const { headers } = await act()
  bomb ??= gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))
  send(outgoing, {
    status: 200,
    headers: { ...headers, 'content-encoding': 'gzip', 'x-request-id': requestId() },
    body: bomb,
  })
}

/** Framed as it should be, and cut all the same. */
export const cutContent: Fault = async ({ outgoing, act, requestId }) => {
  const { status, headers, body } = await act()
  const cut = body.subarray(0, Math.floor(body.length / 2))
  send(outgoing, { status, headers: { ...headers, 'x-request-id': requestId() }, body: cut })
}

/** The record that the service answers, changed. */
export const changed =
  (change: (record: Record<string, unknown>) => object): Fault =>
  async ({ outgoing, act }) => {
    const answer = await act()
    const record = JSON.parse(answer.body.toString('utf8')) as Record<string, unknown>
    send(outgoing, { ...answer, body: Buffer.from(JSON.stringify(change(record))) })
  }

/** The text of the record that the service answers, changed: for what `JSON.stringify` does not write. */
export const respelt =
  (change: (json: string) => string): Fault =>
  async ({ outgoing, act }) => {
    const answer = await act()
    send(outgoing, { ...answer, body: Buffer.from(change(answer.body.toString('utf8'))) })
  }

/** The service's own answer for a resource that it does not have. */
export const notFound: Fault = ({ outgoing }) => {
  const record = { type: 'about:blank', title: 'Not Found', status: 404, code: 'svc_not_found' }
  const headers = { 'content-type': 'application/problem+json' }
  send(outgoing, { status: 404, headers, body: Buffer.from(JSON.stringify(record)) })
}

/** A newer service: statuses, kinds and fields that nobody knows yet. */
export const unknownValues: Fault = async ({ outgoing, act }) => {
  const answer = await act()
  const isJson = answer.headers['content-type']?.includes('json') ?? false
  const headers = isJson ? answer.headers : { ...answer.headers, 'content-type': 'application/x-whatif-v9' }
  send(outgoing, { ...answer, headers, body: isJson ? ofTomorrow(answer.body) : answer.body })
}

function ofTomorrow(body: Buffer): Buffer {
  const record = JSON.parse(body.toString('utf8')) as Record<string, unknown>
  const columns = record.schema as Record<string, unknown>[] | undefined
  return Buffer.from(
    JSON.stringify({
      ...record,
      ...(record.status === undefined ? {} : { status: 'archived' }),
      ...(record.token_type === undefined ? {} : { token_type: 'Bearer2', scope: ['new'] }),
      ...(columns === undefined
        ? {}
        : { schema: columns.map((c) => ({ ...c, type: 'ordinal', unit: { of: 'tomorrow' } })) }),
      kind: 'retraining',
      new_field: [{ nested: null }],
    }),
  )
}

/** The answer of a cluster's default backend to every path while no service runs behind it. */
export const strangersNotFound: Fault = ({ outgoing }) =>
  send(outgoing, { status: 404, headers: { 'content-type': 'text/plain' }, body: Buffer.from('default backend - 404') })
