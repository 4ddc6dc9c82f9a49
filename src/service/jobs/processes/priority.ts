import { getPriority, setPriority } from 'node:os'

/**
 * By how much large work is nicer than the service (setpriority(2)). Beside a thread of small work each of its threads gets a
 * third of the processor's time; on an idle processor it is as quick as ever.
 */
const NICENESS = 5

/**
 * Lowers the priority of a process that was just started, and of what it starts. Does nothing where the system forbids it.
 */
export function letGiveWay(pid: number | undefined): void {
  if (pid !== undefined) lower(pid)
}

/** The same for the calling thread, and those that it starts. Only Linux has priorities of threads. */
export function giveWayInThread(): void {
  if (process.platform === 'linux') lower(0)
}

function lower(id: number): void {
  try {
    setPriority(id, Math.min(19, getPriority() + NICENESS))
  } catch {
    // Not allowed everywhere, and not needed.
  }
}
