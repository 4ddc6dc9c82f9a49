import type { FastifyBaseLogger, FastifyServerOptions } from 'fastify'
import type { LogLevel } from '../settings/settings.ts'
import type { RequestWatcher } from './request-watch.ts'
import type { ServiceEvents } from './service-events.ts'

/** fastify's logger options: JSON lines on stderr, or silence. One line of ours replaces its two lines per request. */
export function loggerOptions(level: LogLevel): NonNullable<FastifyServerOptions['logger']> {
  if (level === 'silent') return false
  return { level, stream: process.stderr, serializers: { err: describeError } }
}

/**
 * One line per request, when its reply has ended or its connection has. A request is logged by operation and route
 * pattern, never by its address, headers or body: a signup's request id gives access to its claim token, an artifact's
 * address is signed, and names of files and columns are the customer's.
 */
export const requestLog: RequestWatcher = {
  end(ended, request) {
    request.log.info(
      {
        ...ended,
        durationMs: Math.round(ended.durationMs),
        ...(request.isAuthenticated && {
          tenantId: request.identity.tenantId,
          clientId: request.identity.clientId,
        }),
      },
      'request',
    )
  },
}

/** Lines about jobs, the sweeper and the clock, with ids only. */
export function logEvents(log: FastifyBaseLogger, events: ServiceEvents): void {
  events.listen((event) => {
    const { type, ...fields } = event
    switch (event.type) {
      case 'job.begun':
      case 'job.ended':
      case 'rows.billed':
        return log.info(fields, type)
      case 'job.postponed':
        return log.warn(fields, type)
      case 'clock.right':
        return log.info(fields, type)
      case 'upload.received':
      case 'sweep.ended':
      case 'webhook.attempted':
        return log.debug(fields, type)
      case 'credentials.claimed_elsewhere':
      case 'approval_command.failed':
      case 'webhook.disabled':
        return log.warn(fields, type)
      case 'clock.wrong':
      case 'sweep.held':
        return log.error(fields, type)
      default:
        return event satisfies never
    }
  })
}

type LoggedError = {
  readonly type: string
  readonly message: string
  readonly stack: string
  readonly code?: string
  readonly cause?: LoggedError
}

/**
 * The logged parts of an error: name, message, code and stack, including causes. Other fields are left out, because
 * database errors contain the parameters of their statement.
 */
function describeError(thrown: unknown): LoggedError {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: '', stack: '' }
  const { code } = thrown as Error & { code?: unknown }
  return {
    type: thrown.name,
    message: thrown.message,
    ...(typeof code === 'string' && { code }),
    stack: thrown.stack ?? '',
    ...(thrown.cause !== undefined && { cause: describeError(thrown.cause) }),
  }
}
