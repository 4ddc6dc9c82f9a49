import { systemClock } from '../../base/clock.ts'
import { abortAtDeadline, RunInterruptedError } from '../../runner/interface/exit-code.ts'

/**
 * The first SIGINT or SIGTERM aborts the signal: the run stops submitting, saves and ends by itself. A second one ends
 * the process at once; the journal is safe at every moment. `deadlineMs`: for work that keeps no deadline of its own.
 */
export function interruptible(deadlineMs?: number): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController()
  const released = new AbortController()
  if (deadlineMs !== undefined) abortAtDeadline(controller, deadlineMs, systemClock, released.signal)
  const handlers = (['SIGINT', 'SIGTERM'] as const).map((name) => {
    const handler = () => {
      if (controller.signal.aborted) process.exit(name === 'SIGINT' ? 130 : 143)
      controller.abort(new RunInterruptedError(name))
    }
    process.on(name, handler)
    return [name, handler] as const
  })
  return {
    signal: controller.signal,
    release: () => {
      released.abort()
      for (const [name, handler] of handlers) process.off(name, handler)
    },
  }
}
