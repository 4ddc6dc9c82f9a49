import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node'
import type { FastifyRequest } from 'fastify'
import type { TraceProtocol } from '../settings/settings.ts'
import type { EndedRequest, RequestWatcher } from './request-watch.ts'
import type { ServiceEvent, ServiceEvents } from './service-events.ts'
import type { Traces } from './traces.ts'

/** Longest time for sending the last spans when the process stops. */
const FLUSH_MS = 5_000

export interface TracingOptions {
  readonly protocol: TraceProtocol
  readonly version: string
  readonly role: string
  /** Called when spans cannot be sent. */
  readonly onError: (error: unknown) => void
}

/**
 * Traces by OpenTelemetry. The library reads endpoint, headers, sampling, batches and resource attributes from the
 * environment (`OTEL_*`). Spans have our ids and route patterns, never addresses, names or secrets.
 */
export async function openTelemetry(options: TracingOptions): Promise<Traces> {
  const report = (message: string): void => options.onError(new Error(`OpenTelemetry: ${message.slice(0, 300)}`))
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'whatif',
        'service.version': options.version,
        'whatif.role': options.role,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }))
  const processor = new BatchSpanProcessor(await exporterFor(options.protocol))
  return new OpenTelemetryTraces(new NodeTracerProvider({ resource, spanProcessors: [processor] }), options.version)
}

const ignore = (): void => undefined

/** Only the exporter in use is loaded. */
async function exporterFor(protocol: TraceProtocol): Promise<SpanExporter> {
  if (protocol === 'http/json') {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
    return new OTLPTraceExporter()
  }
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter()
}

class OpenTelemetryTraces implements Traces, RequestWatcher {
  readonly requests: RequestWatcher = this
  readonly #provider: NodeTracerProvider
  readonly #tracer
  readonly #propagator = new W3CTraceContextPropagator()
  readonly #requestSpans = new WeakMap<FastifyRequest, Span>()
  /** By job and attempt. */
  readonly #jobSpans = new Map<string, Span>()

  constructor(provider: NodeTracerProvider, version: string) {
    this.#provider = provider
    this.#tracer = provider.getTracer('whatif', version)
  }

  begin(request: FastifyRequest): void {
    const parent = this.#contextOf({ traceparent: request.headers.traceparent, tracestate: request.headers.tracestate })
    const route = request.is404 ? undefined : request.routeOptions.url
    const span = this.#tracer.startSpan(
      route === undefined ? request.method : `${request.method} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': request.method,
          ...(route !== undefined && { 'http.route': route }),
          'url.scheme': request.protocol,
          'whatif.request_id': request.id,
        },
      },
      parent,
    )
    this.#requestSpans.set(request, span)
    request.traceParent = this.#traceParentOf(span)
  }

  end(ended: EndedRequest, request: FastifyRequest): void {
    const span = this.#requestSpans.get(request)
    if (span === undefined) return
    if (ended.operation !== null) span.setAttribute('whatif.operation', ended.operation)
    if (ended.status !== null) span.setAttribute('http.response.status_code', ended.status)
    if (ended.status === null) span.setStatus({ code: SpanStatusCode.ERROR, message: 'cut off before its reply' })
    else if (ended.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }

  listenTo(events: ServiceEvents): void {
    events.listen((event) => this.#onEvent(event))
  }

  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const tooLong = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FLUSH_MS)
    })
    await Promise.race([this.#provider.shutdown().catch(ignore), tooLong])
    clearTimeout(timer)
  }

  #onEvent(event: ServiceEvent): void {
    if (event.type === 'job.begun') {
      const attributes = {
        'whatif.job_id': event.jobId,
        'whatif.job_kind': event.kind,
        'whatif.attempt': event.attempt,
      }
      const parent = this.#contextOf({ traceparent: event.traceParent })
      const span = this.#tracer.startSpan(`${event.kind} job`, { kind: SpanKind.CONSUMER, attributes }, parent)
      this.#jobSpans.set(spanKey(event), span)
    }
    if (event.type === 'job.ended') {
      const span = this.#jobSpans.get(spanKey(event))
      if (span === undefined) return
      this.#jobSpans.delete(spanKey(event))
      span.setAttribute('whatif.outcome', event.outcome)
      if (event.outcome === 'failed' || event.outcome === 'repeated') span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    }
  }

  #contextOf(carrier: Readonly<Record<string, string | string[] | undefined>>): Context {
    return this.#propagator.extract(ROOT_CONTEXT, carrier, {
      get: (from, key) => from[key],
      keys: (from) => Object.keys(from),
    })
  }

  #traceParentOf(span: Span): string | null {
    const carrier: { traceparent?: string } = {}
    this.#propagator.inject(trace.setSpan(ROOT_CONTEXT, span), carrier, {
      set: (into, key, value) => {
        if (key === 'traceparent') into.traceparent = value
      },
    })
    return carrier.traceparent ?? null
  }
}

const spanKey = ({ jobId, attempt }: { readonly jobId: string; readonly attempt: number }): string =>
  `${jobId}/${attempt}`
