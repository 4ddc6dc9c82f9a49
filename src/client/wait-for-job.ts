import { type CallScope, deadlineError, reasonOfEnd } from './call-scope.ts'
import { holdSeconds, pollDelayMs } from './retry-timing.ts'
import type { Reply } from './service-client.ts'
import type { Transport } from './transport.ts'

/**
 * Polls with jittered backoff until `isDone`. The first poll follows the first delay. Each further poll starts when the
 * previous one has been answered and the delay since it was sent has passed. No poll starts after the deadline.
 *
 * The service may delay its reply until the job changes. That is waiting too, and no reason to wait again.
 */
export async function pollUntil<T>(
  transport: Transport,
  scope: CallScope,
  wait: {
    /** The subject of the wait, to begin a message. */
    readonly asked: string
    /** `waitSeconds`, at least 1: how long the service may delay its reply, if it can. */
    readonly poll: (waitSeconds: number) => Promise<Reply<T>>
    readonly isDone: (reply: Reply<T>) => boolean
    /** The status in a reply, for the message about the deadline. */
    readonly describe: (reply: Reply<T>) => string
    readonly onPoll: (reply: Reply<T>) => void
  },
): Promise<Reply<T>> {
  let last: Reply<T> | null = null
  let polledMs = 0
  for (let n = 0; ; n++) {
    const asked = last === null ? wait.asked : `${wait.asked} (${wait.describe(last)})`
    const delayMs = Math.max(0, pollDelayMs(n, transport.random()) - polledMs)
    if (!scope.signal.aborted && transport.now() + delayMs >= scope.deadlineMs) {
      throw deadlineError(scope, { asked, attempts: n, requestId: last?.requestId ?? null })
    }
    try {
      await transport.sleep(delayMs, scope.signal)
      const sentMs = transport.now()
      last = await wait.poll(holdSeconds(n))
      // If the clock was set back, this would be negative.
      polledMs = Math.max(0, transport.now() - sentMs)
    } catch (error) {
      throw scope.signal.aborted
        ? reasonOfEnd(scope, { asked, attempts: n, requestId: last?.requestId ?? null })
        : error
    }
    wait.onPoll(last)
    if (wait.isDone(last)) return last
  }
}
