import type { ServiceClock } from './service-clock.ts'

/**
 * What keeps this process from working on jobs, for whoever asks whether it is ready; null: its clock does not. Requests
 * are answered all the same: their times go by the database's clock.
 */
export function clockFault(clock: ServiceClock | undefined): string | null {
  if (clock === undefined || clock.wrongByMs === null) return null
  const off = durationText(Math.abs(clock.wrongByMs))
  const isAhead = clock.wrongByMs > 0
  if (clock.mayWork) {
    return `The clock of this machine has jumped ${off} ${isAhead ? 'ahead' : 'back'}. Nothing that has expired is removed until it is right again, or the service is started anew.`
  }
  return `The clock of this machine is ${off} ${isAhead ? 'ahead of' : 'behind'} the database's. This process takes no jobs and removes nothing until the two agree. Set both by NTP.`
}

/** Whole units, the largest two that count: `25 h`, `1 h 30 min`, `45 s`. */
function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const rest = minutes % 60
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`
}
