import type { ServiceState } from '../../local/run-environment.ts'
import type { RunEvent } from '../../runner/interface/run-event.ts'
import type { Study } from '../../study/study.ts'

/** Shows the progress of a run. Everything goes to stderr, because stdout carries data only. */
export interface Reporter {
  onEvent(event: RunEvent): void
  /** A service is needed. */
  onService(state: ServiceState): void
  /** Does work that asks somebody at the terminal. Nothing else is written there meanwhile. */
  asking<T>(work: () => Promise<T>): Promise<T>
  /** Restores the terminal. Called once, whatever happened. */
  close(): Promise<void>
}

export interface ReporterOptions {
  readonly study: Study
  readonly stderr: NodeJS.WriteStream
  /** ANSI colours. */
  readonly color: boolean
  /** Only failures. */
  readonly quiet: boolean
  /** Retries and request ids as well. */
  readonly verbose: boolean
}

/** `--json`: nothing is shown. */
export const silentReporter: Reporter = {
  onEvent() {},
  onService() {},
  asking: (work) => work(),
  async close() {},
}

/** All reporters, in this order. */
export function together(...reporters: readonly Reporter[]): Reporter {
  return {
    onEvent: (event) => {
      for (const reporter of reporters) reporter.onEvent(event)
    },
    onService: (state) => {
      for (const reporter of reporters) reporter.onService(state)
    },
    asking: (work) => reporters.reduceRight((inner, reporter) => () => reporter.asking(inner), work)(),
    async close() {
      for (const reporter of reporters) await reporter.close()
    },
  }
}
