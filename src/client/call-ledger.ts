/**
 * The destination of a call. The identity provider issues tokens, and an artifact may lie elsewhere, so it need not be
 * the service.
 */
export interface CallTarget {
  /** The request, in words that files may contain: a path of the contract or a few words; no host and no signature. */
  readonly operation: string
  readonly party: 'the service' | 'the identity provider' | 'the storage of the artifact'
  /** For terminals only: no file names a service (study language, section 8). */
  readonly origin: string
}

/** Why the last completed try had no result. */
export interface LastFault {
  readonly kind: 'answer' | 'network'
  /** `503 svc_unavailable: Try later.` or `connection refused (ECONNREFUSED)`; which files may contain. */
  readonly words: string
  readonly requestId: string | null
  readonly hint: string | null
}

/** Why a call has no result yet. */
export interface CallTrouble extends CallTarget {
  /** Tries that failed. */
  readonly failures: number
  /** Time from the first try to the last fault, or to the end of the wait for an answer. */
  readonly elapsedMs: number
  /** Null if no try has completed. */
  readonly last: LastFault | null
  /** How long the current try has had no answer; 0 if that is short. */
  readonly silentMs: number
}

/** A longer silence is reported. */
const NOTABLE_SILENCE_MS = 2000

/**
 * The calls of a run, or one call and the calls that it needs (a token), with what delayed them when the deadline
 * passed.
 */
export class CallLedger {
  readonly #open = new Set<OpenCall>()

  begin(target: CallTarget, options: { readonly now: () => number; readonly heldMs: number }): OpenCall {
    const call = new OpenCall(target, options)
    this.#open.add(call)
    return call
  }

  /**
   * Ends the call. The ledger remembers an aborted or failed call until the same party answers another call properly.
   */
  settle(call: OpenCall, how: 'done' | 'refused' | 'given up'): void {
    if (how === 'given up') return
    this.#open.delete(call)
    if (how === 'refused') return
    for (const other of this.#open) if (other.isOver && other.origin === call.origin) this.#open.delete(other)
  }

  /** Calls that met a fault or silence and did not recover. Calls with the same trouble are reported as one. */
  troubles(): CallTrouble[] {
    return mergeTroubles([...this.#open].flatMap((call) => call.trouble() ?? []))
  }
}

/** A call and its progress. */
export class OpenCall {
  readonly #target: CallTarget
  readonly #now: () => number
  /** How long the service was asked to delay its answer. That time does not count as silence. */
  readonly #heldMs: number
  #startedMs: number | null = null
  #quietSinceMs: number | null = null
  #failedMs = 0
  #failures = 0
  #last: LastFault | null = null
  #endedMs: number | null = null

  constructor(target: CallTarget, { now, heldMs }: { readonly now: () => number; readonly heldMs: number }) {
    this.#target = target
    this.#now = now
    this.#heldMs = heldMs
  }

  get origin(): string {
    return this.#target.origin
  }

  /** The call was aborted or has failed. */
  get isOver(): boolean {
    return this.#endedMs !== null
  }

  /** Notes the beginning of a try. */
  try(): void {
    this.#startedMs ??= this.#now()
    this.progress()
  }

  /** Notes that bytes were sent or received. */
  progress(): void {
    this.#quietSinceMs = this.#now()
  }

  fail(last: LastFault): void {
    this.#quietSinceMs = null
    this.#failedMs = this.#now()
    this.#failures++
    this.#last = last
  }

  /** Notes that the call has stopped: its times no longer advance. */
  end(): void {
    this.#endedMs ??= this.#now()
  }

  /** Null if no fault is known. */
  trouble(): CallTrouble | null {
    const endMs = this.#endedMs ?? this.#now()
    const quietMs = this.#quietSinceMs === null ? 0 : endMs - this.#quietSinceMs - this.#heldMs
    const silentMs = quietMs >= NOTABLE_SILENCE_MS ? quietMs : 0
    if (this.#startedMs === null || (this.#last === null && silentMs === 0)) return null
    const lastMs = silentMs > 0 || this.#last === null ? endMs : this.#failedMs
    const elapsedMs = Math.max(0, lastMs - this.#startedMs)
    return { ...this.#target, failures: this.#failures, elapsedMs, last: this.#last, silentMs }
  }
}

/** Calls to one place that failed in the same way are reported together. */
export function mergeTroubles(troubles: Iterable<CallTrouble>): CallTrouble[] {
  const merged = new Map<string, CallTrouble>()
  for (const trouble of new Set(troubles)) {
    const { operation, origin, last } = trouble
    const key = JSON.stringify([operation, origin, last?.kind, last?.words])
    const same = merged.get(key)
    merged.set(
      key,
      same === undefined
        ? trouble
        : {
            ...trouble,
            failures: same.failures + trouble.failures,
            elapsedMs: Math.max(same.elapsedMs, trouble.elapsedMs),
            silentMs: Math.max(same.silentMs, trouble.silentMs),
          },
    )
  }
  return [...merged.values()]
}

/** `The token request at https://idp.example failed 4 times in 5 s; at the last try: connection refused (ECONNREFUSED)`. */
export function troubleText(trouble: CallTrouble, { withAddress }: { readonly withAddress: boolean }): string {
  const { operation, origin, failures, elapsedMs, last, silentMs } = trouble
  const place = withAddress ? ` at ${origin}` : ''
  if (last === null) return `${operation}${place} had no answer in ${secondsText(silentMs)}`
  const request = last.requestId === null ? '' : ` [request ${last.requestId}]`
  const words = `${last.words.replace(/[.!?]+$/, '')}${request}`
  const often = failures === 1 ? '' : ` ${failures} times in ${secondsText(elapsedMs)}`
  const what =
    last.kind === 'answer' && failures > 1 ? '; the last answer was ' : failures > 1 ? '; at the last try: ' : ': '
  const quiet = silentMs === 0 ? '' : `; the next try had no answer in ${secondsText(silentMs)}`
  return `${operation}${place} failed${often}${what}${words}${quiet}`
}

/** The same for files: which party failed, and how. Contains nothing that differs between runs. */
export function troubleInShort({ party, last, failures }: CallTrouble): string {
  if (last === null) return `${party} did not answer`
  const words = last.words.replace(/[.!?]+$/, '')
  if (last.kind === 'answer') return `${party} answered ${words}`
  return failures > 0 ? `${party} could not be reached: ${words}` : words
}

/** The remedy. */
export const troubleHint = ({ last, party }: CallTrouble): string =>
  last?.hint ?? `Something accepts the connection and does not answer: check that it is ${party}, and ask its operator`

/** `0.3 s`, `12 s`, `15 min`. */
export function secondsText(ms: number): string {
  if (ms < 9950) return `${Number((ms / 1000).toFixed(1))} s`
  return ms < 600_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`
}
