import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** The process that takes a lock, and how it looks for the process behind another's. */
export interface ThisProcess {
  readonly pid: number
  /** For messages. */
  readonly host: string
  /**
   * Where process ids have one meaning: host, boot and process namespace. Two containers may have the same host name, and
   * none can see the other's processes.
   */
  readonly place: string
  /** Whether a process of this id exists at this place. */
  readonly exists: (pid: number) => boolean
}

export function thisProcess(): ThisProcess {
  return { pid: process.pid, host: hostname(), place: placeOf(), exists: processExists }
}

export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it exists but belongs to someone else.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Parts that the system does not tell are empty. */
function placeOf(): string {
  const boot = tryRead(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
  return [hostname(), boot, tryRead(() => readlinkSync('/proc/self/ns/pid'))].join('|')
}

/** Start time of a process in clock ticks since boot (proc(5), field 22 of `stat`); null without /proc. */
export function startOfProcess(pid: number): string | null {
  const line = tryRead(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The second field is the name in parentheses and may contain anything, so fields are counted from the last
  // parenthesis.
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null
}

function tryRead(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
