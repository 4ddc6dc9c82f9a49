import type { TraceProtocol } from '../telemetry/traces.ts'
import { SettingError } from './setting-values.ts'

const PROTOCOLS: readonly TraceProtocol[] = ['http/protobuf', 'http/json']

/**
 * Whether and how traces are sent, by the variables of the OpenTelemetry specification. They are off until an endpoint
 * is named; what else `OTEL_*` says is read by the library.
 *
 * @throws SettingError for an exporter or a protocol that is not there.
 */
export function readTraceSettings(env: Readonly<Record<string, string | undefined>>): TraceProtocol | null {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT || ''
  const exporter = env.OTEL_TRACES_EXPORTER || (endpoint === '' ? 'none' : 'otlp')
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || exporter === 'none') return null
  if (exporter !== 'otlp') {
    throw new SettingError(`OTEL_TRACES_EXPORTER '${exporter}' is invalid: expected otlp or none`)
  }
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf'
  const known = PROTOCOLS.find((name) => name === protocol)
  if (known === undefined) {
    throw new SettingError(`OTEL_EXPORTER_OTLP_PROTOCOL '${protocol}' is invalid: expected ${PROTOCOLS.join(' or ')}`)
  }
  return known
}
