// Peak resident memory of this process. If /proc exists, `getrusage` is not used: its maximum survives exec, so a small child of a
// large parent would report the parent's.
import { readdirSync, readFileSync } from 'node:fs'

/**
 * Bytes.
 *
 * @param {number | 'self'} pid Of another process only where /proc is there.
 */
export function peakRssBytes(pid = 'self') {
  return statusField(pid, 'VmHWM') ?? process.resourceUsage().maxRSS * 1024
}

/**
 * Bytes resident now, or null if the platform does not report it for other processes.
 *
 * @param {number} pid
 */
export function rssBytes(pid) {
  return statusField(pid, 'VmRSS')
}

/**
 * Processes that a process has started; none without /proc.
 *
 * @param {number} pid
 * @returns {number[]}
 */
export function childrenOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

/**
 * @param {number | 'self'} pid
 * @param {string} name
 */
function statusField(pid, name) {
  try {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return found ? Number(found[1]) * 1024 : null
  } catch {
    return null
  }
}
