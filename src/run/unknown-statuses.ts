import { cutText } from '../base/text/fit-text.ts'
import type { RunEvent } from './run-event.ts'

/** A status that a newer service has for a moment is nobody's business; one that stays is. */
const TOLD_AFTER_MS = 60_000

/** Subjects that the last message names before the rest is only counted. */
const MOST_NAMED = 3

const LONGEST_STATUS = 60

/**
 * Statuses that this version does not know. Work that has one counts as in progress (study language, section 11), so
 * nothing but the deadline ends the wait: whoever waits is told what for, once per subject, and again at the end.
 */
export class UnknownStatuses {
  readonly #now: () => number
  readonly #emit: (event: RunEvent) => void
  readonly #seen = new Map<string, { readonly status: string; readonly since: number; told: boolean }>()

  constructor(now: () => number, emit: (event: RunEvent) => void) {
    this.#now = now
    this.#emit = emit
  }

  /** What an answer said; `status` is undefined when it was one that is known. */
  note(subject: string, status: string | undefined): void {
    if (status === undefined) {
      this.#seen.delete(subject)
      return
    }
    const word = cutText(status, LONGEST_STATUS)
    const before = this.#seen.get(subject)
    const seen = before?.status === word ? before : { status: word, since: this.#now(), told: false }
    this.#seen.set(subject, seen)
    if (seen.told || this.#now() - seen.since < TOLD_AFTER_MS) return
    seen.told = true
    this.#emit({ type: 'status.unknown', subject, status: word })
  }

  /** What the wait was for, to be added to the message of a deadline; null when all statuses were known. */
  describe(): string | null {
    if (this.#seen.size === 0) return null
    const named = [...this.#seen]
      .slice(0, MOST_NAMED)
      .map(([subject, { status }]) => `${subject} has the status "${status}"`)
    const others = this.#seen.size - named.length
    const more = others > 0 ? ` (and ${others} more like it)` : ''
    return `${named.join(', ')}${more}, which this version of whatif does not know: ask who runs the service what it means, or use a newer whatif`
  }
}
