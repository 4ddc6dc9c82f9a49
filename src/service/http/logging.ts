import type { FastifyRequest, FastifyServerOptions } from 'fastify'

/**
 * fastify's logger options: JSON lines on stderr, or silence. A request is logged by its route pattern, never by its
 * address or headers: a signup's request id opens its claim token, an artifact's address is signed.
 */
export function loggerOptions(isOn: boolean): NonNullable<FastifyServerOptions['logger']> {
  if (!isOn) return false
  return {
    stream: process.stderr,
    serializers: {
      req: (request: FastifyRequest) => ({ method: request.method, route: request.routeOptions?.url ?? null }),
      res: (reply) => ({ status: reply.statusCode }),
      err: describeError,
    },
  }
}

type LoggedError = {
  readonly type: string
  readonly message: string
  readonly stack: string
  readonly code?: string
  readonly cause?: LoggedError
}

/**
 * What of an error goes into the log: name, message, code and stack, causes included. Not its other fields, because
 * database errors carry the parameters of their statement.
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
