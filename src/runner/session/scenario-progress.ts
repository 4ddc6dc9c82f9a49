import type { ScenarioStanding } from '../../answers/manifest/scenario-result.ts'
import type { ManifestScenario } from '../../records/manifest/scenarios.ts'
import type { ExitReason } from '../interface/exit-code.ts'
import type { ResultSource, RunEvent, RunFault } from '../interface/run-event.ts'

/** How a scenario ended in this run. `key`: the work behind it, if any. */
export type End = { readonly kind: 'done'; readonly how: ResultSource; readonly key: string } | NotDone

export type NotDone =
  | {
      readonly kind: 'failed'
      /** `refused`: the service did not accept the request. */
      readonly status: 'failed' | 'refused'
      readonly fault: RunFault
      readonly cause: ExitReason
      readonly key: string | null
    }
  /** `interrupted`: work may still be running at the service; `not_started`: nothing was sent. */
  | {
      readonly kind: 'stopped'
      readonly status: 'interrupted' | 'not_started'
      readonly fault: RunFault
      readonly cause: ExitReason
      readonly key: string | null
    }

export type Breaker = Extract<RunEvent, { type: 'breaker.opened' }>['reason']

/** The status of each scenario so far, and whether more may be submitted. */
export class ScenarioProgress {
  readonly ends = new Map<string, End>()
  /** Scenarios whose work continues at the service, with its key. */
  readonly running = new Map<string, string>()
  /** The latest results: a running manifest needs all of them, and few have changed. */
  readonly results = new Map<string, { readonly standing: ScenarioStanding; readonly result: ManifestScenario }>()
  /** Scenarios in a row without an answer from the service. */
  strikes = 0
  /** Called when something changed that a running manifest shows. */
  onChange: () => void = () => {}
  readonly #emit: (event: RunEvent) => void
  #breaker: Breaker | null = null

  constructor(emit: (event: RunEvent) => void) {
    this.#emit = emit
  }

  /** Why nothing more is submitted; null: more may be. */
  get breaker(): Breaker | null {
    return this.#breaker
  }

  /** Stops further submissions. The first reason is kept. */
  open(breaker: Breaker): void {
    if (this.#breaker !== null) return
    this.#breaker = breaker
    this.#emit({ type: 'breaker.opened', reason: breaker })
  }

  /** Sets how a scenario ended; the first end counts. */
  finish(id: string, end: End): void {
    if (this.ends.has(id)) return
    this.running.delete(id)
    this.ends.set(id, end)
    this.onChange()
  }
}
