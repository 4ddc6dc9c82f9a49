import { type CallScope, deadlineError, reasonOfEnd } from './call-scope.ts'
import { pollDelayMs } from './retry-timing.ts'
import type { Reply } from './service-client.ts'
import type { Transport } from './transport.ts'

/**
 * Polls with jittered backoff until `isDone`. The first poll comes after the first delay, each next one when the one
 * before has been answered; none is begun after the deadline.
 */
export async function pollUntil<T>(
  transport: Transport,
  scope: CallScope,
  wait: {
    /** What is waited for, to begin a message with. */
    readonly asked: string
    readonly poll: () => Promise<Reply<T>>
    readonly isDone: (reply: Reply<T>) => boolean
    /** The state of things in a reply, for the message about the deadline. */
    readonly describe: (reply: Reply<T>) => string
    readonly onPoll: (reply: Reply<T>) => void
  },
): Promise<Reply<T>> {
  let last: Reply<T> | null = null
  for (let n = 0; ; n++) {
    const asked = last === null ? wait.asked : `${wait.asked} (${wait.describe(last)})`
    const delayMs = pollDelayMs(n, transport.random())
    if (!scope.signal.aborted && transport.now() + delayMs >= scope.deadlineMs) {
      throw deadlineError({ asked, attempts: n, requestId: last?.requestId ?? null })
    }
    try {
      await transport.sleep(delayMs, scope.signal)
      last = await wait.poll()
    } catch (error) {
      throw scope.signal.aborted
        ? reasonOfEnd(scope, { asked, attempts: n, requestId: last?.requestId ?? null })
        : error
    }
    wait.onPoll(last)
    if (wait.isDone(last)) return last
  }
}
