import { getPriority, setPriority } from 'node:os'

/**
 * The nice value of large work relative to the service (setpriority(2)). When competing with a thread of small work,
 * each of its threads gets a third of the processor's time. On an idle processor it runs at full speed.
 */
const NICENESS = 5

/** Lowers the priority of a new process and its children. Does nothing if the system forbids it. */
export function letGiveWay(pid: number | undefined): void {
  if (pid !== undefined) lower(pid)
}

/** The same for the calling thread and the threads that it starts. Only Linux has thread priorities. */
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
