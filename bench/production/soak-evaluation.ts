import type { Report } from './report.ts'

/** The samples of each quantity, in sequence. */
export type Samples = Map<string, number[]>

/**
 * How much more the second half may have than the first: a fraction of the first, plus a constant. The first sixth is left out:
 * code is compiled, pools fill up, and no record has expired yet.
 *
 * - The heap after a collection varies by a megabyte or two with the work in progress. 3 MB between the middles of the two
 *   parts, which lie 25 minutes of an hour apart, would be 2 kB per generation.
 * - Resident memory is what the allocator has not returned: it varies by tens of megabytes with the sequence of requests
 *   and, with children, with whether a training is under way. A leak shows in the heap first; this finds buffers.
 * - Handles, descriptors and connections follow the connections of the moment: pools close idle ones after a while.
 * - Rows follow the number of resources alive: arrivals and sweeps of a minute, so that a sweep more or less counts.
 * - A table of the queue is as large as its dead rows between two vacuums.
 */
const LIMITS: readonly (readonly [pattern: RegExp, part: number, slack: number])[] = [
  [/heap MB/, 0.03, 3],
  [/RSS with children MB/, 0.1, 40],
  [/RSS MB/, 0.08, 12],
  [/handles|descriptors|connections/, 0.1, 6],
  [/rows|objects/, 0.15, 30],
  [/files|uploads/, 0.1, 10],
  [/^kB/, 0.25, 400],
]

/** The first records are removed after about six minutes: in shorter runs the first half has the rise. */
const LEAST_MINUTES = 20

/** Prints the middle of each sixth, and whether the second half is flat compared with the first. */
export function evaluateSeries(report: Report, samples: Samples, minutes: number): void {
  const wasSelected = minutes >= LEAST_MINUTES
  const rows = [...samples].map(([name, values]) => {
    const sixths = Array.from({ length: 6 }, (_, i) => median(part(values, i / 6, (i + 1) / 6)))
    const earlier = median(part(values, 1 / 6, 1 / 2))
    const later = median(part(values, 1 / 2, 1))
    const [, share, slack] = LIMITS.find(([pattern]) => pattern.test(name)) as (typeof LIMITS)[number]
    const isFlat = !wasSelected || later <= earlier * (1 + share) + slack
    if (!isFlat) report.atMost(name, later, earlier * (1 + share) + slack, (value) => value.toFixed(1))
    return [name, ...sixths.map(short), wasSelected ? (isFlat ? 'flat' : 'GROWS') : '']
  })
  report.table(['middle of each sixth', '1', '2', '3', '4', '5', '6', ''], rows)
  if (!wasSelected) {
    report.say(`Not evaluated: a run of less than ${LEAST_MINUTES} minutes is still warming up in its first half.`)
    return
  }
  const growing = rows.filter((row) => row.at(-1) === 'GROWS').length
  report.say(
    `Flat: the middle of the second half is at most a few percent above that of the second and third sixth. ${
      growing === 0 ? 'All are.' : `${growing} grow.`
    }`,
  )
}

function part(values: readonly number[], from: number, to: number): readonly number[] {
  return values.slice(Math.floor(values.length * from), Math.max(1, Math.floor(values.length * to)))
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[half] as number) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2
}

const short = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(1))
