import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeClient, mint, request } from '../served-client.ts'
import { NotServedError, type ServedProcess, serve } from '../served-process.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const CALLER_SPAN = 'b7ad6b7169203331'
const KINDS = { server: 2, consumer: 5 }

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly Attribute[]
}

/** A collector that stores everything it receives. */
class Collector {
  readonly bodies: { contentType: string; authorization: string | undefined; text: string }[] = []
  readonly #server: Server = createServer((incoming, reply) => {
    const pieces: Buffer[] = []
    incoming.on('data', (piece: Buffer) => pieces.push(piece))
    incoming.on('end', () => {
      const { 'content-type': contentType = '', authorization } = incoming.headers
      this.bodies.push({ contentType, authorization, text: Buffer.concat(pieces).toString() })
      reply.end('{}')
    })
  })

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  spans(): Span[] {
    return this.bodies.flatMap(({ text }) => {
      const { resourceSpans } = JSON.parse(text)
      // biome-ignore lint/suspicious/noExplicitAny: OTLP, of which the test reads a part
      return resourceSpans.flatMap((r: any) => r.scopeSpans.flatMap((s: any) => s.spans))
    })
  }
}

const attributeOf = (span: Span | undefined, key: string): unknown =>
  Object.values(span?.attributes.find((attribute) => attribute.key === key)?.value ?? {})[0]

describe('the traces of a service', () => {
  let folder: string
  let collector: Collector
  let endpoint: string
  let service: ServedProcess | null

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whatif-traces-'))
    collector = new Collector()
    endpoint = await collector.listen()
    service = null
  })

  afterEach(async () => {
    await service?.kill()
    collector.close()
    await rm(folder, { recursive: true, force: true })
  })

  const start = async (env: Record<string, string>): Promise<string> => {
    service = await serve(folder, { env: { ...env } })
    return service.baseUrl
  }

  it('show a request and its job in the trace of the caller', async () => {
    const baseUrl = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
      OTEL_SERVICE_NAME: 'data-service',
    })
    const client = await makeClient(baseUrl, 'traced@example.test')
    const bearer = (await mint(baseUrl, client)) as string
    const form = new FormData()
    form.append('wait_seconds', '60')
    const rows = Array.from({ length: 400 }, (_, i) => `${i % 2 === 0 ? 'tea' : 'coffee'},${i % 5}`)
    form.append('seed_file', new Blob([['drink,cups', ...rows].join('\n')]), 'secret-name.csv')
    const answer = await fetch(`${baseUrl}/v1/datasets`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${bearer}`,
        'idempotency-key': 'traced',
        traceparent: `00-${TRACE_ID}-${CALLER_SPAN}-01`,
      },
      body: form,
    })
    expect(await answer.json()).toMatchObject({ status: 'ready' })
    expect(await service?.stop()).toBe(0)

    const ours = collector.spans().filter((span) => span.traceId === TRACE_ID)
    const upload = ours.find((span) => span.kind === KINDS.server)
    const job = ours.find((span) => span.kind === KINDS.consumer)
    expect(upload).toMatchObject({ name: 'POST /v1/datasets', parentSpanId: CALLER_SPAN })
    expect(attributeOf(upload, 'http.response.status_code')).toBe(200)
    expect(attributeOf(upload, 'whatif.request_id')).toBe(answer.headers.get('x-request-id'))
    expect(job).toMatchObject({ name: 'training job', parentSpanId: upload?.spanId })
    expect(attributeOf(job, 'whatif.outcome')).toBe('completed')
    expect(new Set(collector.bodies.map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer of-the-collector']),
    )
    const sent = collector.bodies.map(({ text }) => text).join('\n')
    expect(sent).toContain('data-service')
    for (const secret of [bearer, client.client_secret, client.client_id, 'secret-name', 'traced@example.test', 'sup_'])
      expect(sent).not.toContain(secret)
  })

  it('are protobuf by default', async () => {
    const baseUrl = await start({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/v1/traces` })
    await request(baseUrl, 'GET', '/healthz')
    await service?.stop()
    expect(collector.bodies.map(({ contentType }) => contentType)).toEqual(['application/x-protobuf'])
  })

  // `settings.test.ts` shows what else turns them off.
  it('are not made while they are disabled', async () => {
    const baseUrl = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'true' })
    await request(baseUrl, 'GET', '/healthz')
    await service?.stop()
    expect(collector.bodies).toEqual([])
  })

  it('do not delay requests or the end of a service whose collector is unavailable', async () => {
    collector.close()
    const baseUrl = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
    expect((await request(baseUrl, 'GET', '/healthz')).status).toBe(200)
    expect(await service?.stop()).toBe(0)
  })

  it('require a known protocol', async () => {
    const started = start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })
    await expect(started).rejects.toThrow(NotServedError)
    await expect(started).rejects.toThrow(
      "OTEL_EXPORTER_OTLP_PROTOCOL 'grpc' is invalid: expected http/protobuf or http/json",
    )
  })
})
