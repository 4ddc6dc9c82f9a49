import { getPriority, setPriority } from 'node:os'

/**
 * How much nicer than the service its large work is: beside one thread of small work each of its threads gets a third of
 * the processor's time. On a processor that nobody else wants it is as quick as ever.
 */
const NICENESS = 5

/**
 * From now on a process that was just started, and what it starts, gives way to others. Where the system does not
 * allow that, it does not.
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
