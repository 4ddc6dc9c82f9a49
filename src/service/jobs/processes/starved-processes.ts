import { readFileSync } from 'node:fs'

/**
 * Processes of this machine that the kernel has killed for want of memory since it started (`oom_kill` in /proc/vmstat,
 * proc(5)): a work process that gets SIGKILL while this number rises was such a one, since it offers itself first. 0 where
 * the system does not tell.
 */
export function starvedSoFar(path = '/proc/vmstat'): number {
  try {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
