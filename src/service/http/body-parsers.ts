import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MAX_JSON_BODY_BYTES, MAX_JSON_KEYS, MAX_OPEN_BODY_BYTES, MAX_OPEN_JSON_KEYS } from '../../contract/limits.ts'
import type { HttpLimits } from './http-limits.ts'
import { ProblemError, transportProblem } from './problem-error.ts'
import { parseStrictJson } from './strict-json.ts'
import { declaredBytes } from './unread-bodies.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Many clients send a content type without a body. Operations that need no body ignore it; the others answer 400.
     */
    isBodyOptional?: boolean
  }
}

/**
 * Replaces fastify's parsers with a strict one for `application/json` that is bounded in size, depth and time. Routes
 * with another content type remove it in their own scope; every other content type is 415.
 */
export function addJsonParser(app: FastifyInstance, limits: HttpLimits): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    checkCharset(request.headers['content-type'])
    const bytes = await readBoundedBody(request, limits)
    if (bytes.length === 0) {
      if (request.routeOptions.config.isBodyOptional === true) return undefined
      throw emptyBody()
    }
    const maxKeys = request.isAuthenticated ? MAX_JSON_KEYS : MAX_OPEN_JSON_KEYS
    return parseStrictJson(bytes, { maxDepth: limits.jsonDepth, maxKeys })
  })
}

/** The 400 for a JSON operation without a body. */
export function emptyBody(): ProblemError {
  return new ProblemError(
    'svc_invalid_field',
    'The request body is empty. Send a JSON object with Content-Type: application/json.',
    { errors: [{ field: 'body', message: 'is required' }] },
  )
}

/**
 * Reads a small body into memory. Above its limit it continues to read and discard for a while, so that the peer can
 * finish sending and read the 413; then it throws `svc_body_too_large`. Unauthenticated requests have a small limit,
 * and a body above it is refused by its length before it is read (`unread-bodies.ts` handles the rest).
 */
export async function readBoundedBody(request: FastifyRequest, limits: HttpLimits): Promise<Buffer> {
  const body = request.raw
  const maxBytes = request.isAuthenticated ? MAX_JSON_BODY_BYTES : MAX_OPEN_BODY_BYTES
  const discardBytes = request.isAuthenticated ? limits.discardBytes : 0
  const tooLarge = (): ProblemError =>
    new ProblemError('svc_body_too_large', `The request body is larger than ${maxBytes} bytes.`)
  const declared = declaredBytes(request)
  if (!request.isAuthenticated && Number.isFinite(declared) && declared > maxBytes) throw tooLarge()
  return await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = []
    let receivedBytes = 0
    const settle = (act: () => void): void => {
      clearTimeout(timer)
      body.off('data', onData).off('end', onEnd).off('error', onError)
      act()
    }
    const onData = (chunk: Buffer): void => {
      receivedBytes += chunk.length
      if (receivedBytes <= maxBytes) chunks.push(chunk)
      else if (receivedBytes > maxBytes + discardBytes) settle(() => reject(tooLarge()))
      else chunks.length = 0
    }
    const onEnd = (): void =>
      settle(() => (receivedBytes > maxBytes ? reject(tooLarge()) : resolve(Buffer.concat(chunks))))
    const onError = (): void => settle(() => reject(transportProblem(400, 'The request body ended early.')))
    const timer = setTimeout(
      () =>
        settle(() =>
          reject(
            receivedBytes > maxBytes ? tooLarge() : transportProblem(408, 'The request body did not arrive in time.'),
          ),
        ),
      limits.bodyTimeoutMs,
    )
    body.on('data', onData).on('end', onEnd).on('error', onError)
  })
}

/** JSON is UTF-8 (RFC 8259, 8.1): another declared charset is refused, not guessed. */
function checkCharset(contentType: string | undefined): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType ?? '')?.[1]
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8' && charset.toLowerCase() !== 'utf8') {
    throw new ProblemError(
      'svc_unsupported_content_type',
      `JSON is UTF-8; charset ${charset.slice(0, 100)} is not supported.`,
    )
  }
}
