import { type CallScope, deadlineError, reasonOfEnd } from './call-scope.ts'
import { holdSeconds, pollDelayMs } from './retry-timing.ts'
import type { Reply } from './service-client.ts'
import type { Transport } from './transport.ts'

/**
 * Polls with jittered backoff until `isDone`. The first poll comes after the first delay, each next one when the one
 * before has been answered and the delay since it was sent is over; none is begun after the deadline.
 *
 * The service may hold a poll until there is news: that is waiting, too, and no reason to wait again.
 */
export async function pollUntil<T>(
  transport: Transport,
  scope: CallScope,
  wait: {
    /** What is waited for, to begin a message with. */
    readonly asked: string
    /** `waitSeconds`, at least 1: how long a service that can do so may hold its reply. */
    readonly poll: (waitSeconds: number) => Promise<Reply<T>>
    readonly isDone: (reply: Reply<T>) => boolean
    /** The state of things in a reply, for the message about the deadline. */
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
      // A clock that was set back would make it negative.
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
