import { writeFileSync } from 'node:fs'
import type { FromWorker, TaskPort, ToWorker } from './task-protocol.ts'

/**
 * The line of a forked process to its parent. From here on the process lives as long as its parent does, whatever signals
 * a terminal or a service manager sends to the whole group: the parent decides what becomes of work under way.
 */
export function processPort<Task, Result>(): TaskPort<Task, Result> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  offerToOutOfMemoryKiller()
  return {
    send: (message: FromWorker<Result>) => void process.send?.(message),
    onMessage: (hear) => void process.on('message', (message) => hear(message as ToWorker<Task>)),
  }
}

/** When the machine runs out of memory, the kernel shall end this process rather than the service (proc(5), oom_score_adj). */
function offerToOutOfMemoryKiller(): void {
  if (process.platform !== 'linux') return
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Not allowed everywhere, and not needed.
  }
}
