import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { guardedLookup } from '../../base/private-addresses.ts'
import { WhatifError } from '../../base/whatif-error.ts'
import type { WebhookAddresses } from '../settings/settings.ts'
import { faultOfAddress, hostOf, mayBeReached } from './webhook-address.ts'

/** Of an answer only the status counts. So much of its body is read, that a receiver is not cut off while it writes. */
const MOST_READ_BYTES = 64 * 1024
const MOST_HEADER_BYTES = 16 * 1024

export interface MessageRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface PostOptions {
  readonly allowed: WebhookAddresses
  /** From the look-up of the name to the headers of the answer; the rest of the body has as long again. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Resolves names of hosts; default: as the system does. */
  readonly lookup?: LookupFunction | undefined
}

export interface PostAnswer {
  readonly status: number
  readonly retryAfter: string | null
}

/** An attempt that got no answer. The message says why, and repeats nothing that the receiver or its network said. */
export class NoAnswerError extends WhatifError {
  constructor(message: string) {
    super('webhook_no_answer', message)
  }
}

/**
 * Posts a message once, over a connection of its own. The socket connects to the addresses that were checked, so a name
 * that resolves differently a moment later leads nowhere else. Redirects are answers like others.
 *
 * @throws NoAnswerError
 */
export async function postMessage(request: MessageRequest, options: PostOptions): Promise<PostAnswer> {
  const { allowed, timeoutMs, signal } = options
  const fault = faultOfAddress(request.url, allowed)
  if (fault !== null) throw new NoAnswerError(`The address ${fault}.`)
  const url = new URL(request.url)
  const isAllowed = (address: string) => mayBeReached(address, allowed)
  // A socket resolves no name if the host is an address; the text of the address was checked above.
  const lookup = isIP(hostOf(url)) !== 0 ? {} : { lookup: checkedLookup(isAllowed, options.lookup) }
  const isTls = url.protocol === 'https:'
  const agent = isTls ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false })
  return await new Promise<PostAnswer>((resolve, reject) => {
    const bytes = Buffer.from(request.body)
    const sent = (isTls ? httpsRequest : httpRequest)(url, {
      ...lookup,
      agent,
      method: 'POST',
      headers: { ...request.headers, 'content-length': bytes.length, connection: 'close' },
      maxHeaderSize: MOST_HEADER_BYTES,
    })
    const stop = (why: NoAnswerError) => {
      reject(why)
      sent.destroy()
    }
    const seconds = Math.ceil(timeoutMs / 1000)
    let timer = setTimeout(() => stop(new NoAnswerError(`There was no answer within ${seconds} s.`)), timeoutMs)
    const onAbort = () => stop(new NoAnswerError('The service stopped meanwhile.'))
    signal.addEventListener('abort', onAbort, { once: true })
    sent.on('close', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    })
    sent.on('error', (error) => reject(noAnswerOf(error)))
    sent.on('response', (answer) => {
      resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] ?? null })
      clearTimeout(timer)
      timer = setTimeout(() => sent.destroy(), timeoutMs)
      readSome(answer)
    })
    sent.end(bytes)
  })
}

function readSome(answer: IncomingMessage): void {
  let bytes = 0
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MOST_READ_BYTES) answer.destroy()
  })
  // What comes after the status changes nothing.
  answer.on('error', () => undefined)
}

function checkedLookup(isAllowed: (address: string) => boolean, resolve?: LookupFunction): LookupFunction {
  const refusal = (_host: string, address: string) =>
    isAllowed(address) ? null : new NoAnswerError('The name of the host leads to an address that is not public.')
  return resolve === undefined ? guardedLookup(refusal) : guardedLookup(refusal, resolve)
}

const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_|ENODATA)/, 'The name of the host is not known.'],
  [/^ECONNREFUSED$/, 'The connection was refused.'],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, 'The host cannot be reached.'],
  [/CERT|SSL|TLS|UNABLE_TO|SELF_SIGNED/, 'The certificate or the TLS of the host was not accepted.'],
  [/^HPE_/, 'The answer is not HTTP.'],
]

function noAnswerOf(error: Error): NoAnswerError {
  if (error instanceof NoAnswerError) return error
  const code = String((error as NodeJS.ErrnoException).code ?? '')
  return new NoAnswerError(FAULTS.find(([pattern]) => pattern.test(code))?.[1] ?? 'The connection broke.')
}
