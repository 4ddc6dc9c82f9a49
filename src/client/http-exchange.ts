import type { Dispatcher } from 'undici'
import { ReplyStream } from './reply-stream.ts'
import { HeadersTimeoutError } from './undici-parts.ts'

export interface HttpReply {
  readonly status: number
  /** A header by its lower-case name; the first when it was sent several times. */
  readonly header: (name: string) => string | null
  /** Must be read to its end or destroyed. */
  readonly body: ReplyStream
}

/**
 * Sends one request and resolves with the headers of its answer. The signal ends the exchange at any time, its body
 * included, with the signal's reason. `headersMs` also bounds what comes before them: undici's own limit starts anew
 * with every preliminary answer (1xx), this one with the first of them.
 */
export function exchange(
  agent: Dispatcher,
  options: Dispatcher.DispatchOptions,
  { signal, headersMs }: { readonly signal: AbortSignal; readonly headersMs: number },
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    let controller: Dispatcher.DispatchController | null = null
    let body: ReplyStream | null = null
    let ended: { readonly error: Error } | null = null
    let preliminary: NodeJS.Timeout | undefined

    const settle = (): void => {
      clearTimeout(preliminary)
      signal.removeEventListener('abort', onAbort)
    }
    const fail = (error: Error): void => {
      if (ended !== null) return
      ended = { error }
      settle()
      reject(error)
      body?.fail(error)
      controller?.abort(error)
    }
    const onAbort = (): void => fail(signal.reason)
    signal.addEventListener('abort', onAbort)

    agent.dispatch(options, {
      onRequestStart(started) {
        controller = started
        // Given up while it waited for a connection.
        if (ended !== null) started.abort(ended.error)
      },
      onResponseStart(_, status, headers) {
        if (status < 200) {
          preliminary ??= setTimeout(() => fail(new HeadersTimeoutError()), headersMs)
          return
        }
        clearTimeout(preliminary)
        body = new ReplyStream({
          pause: () => controller?.pause(),
          resume: () => controller?.resume(),
          drop: fail,
        })
        const header = (name: string): string | null => {
          const value = headers[name]
          return (Array.isArray(value) ? value[0] : value) ?? null
        }
        resolve({ status, header, body })
      },
      onResponseData: (_, piece) => body?.push(piece),
      onResponseEnd() {
        settle()
        body?.end()
      },
      onResponseError: (_, error) => fail(error),
    })
  })
}
