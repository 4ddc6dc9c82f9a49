import type { MeasureArtifact } from '../../answers/counts/measure.ts'
import type { FileSystem } from '../../base/atomic-file.ts'
import type { Clock } from '../../base/clock.ts'
import type { ThisProcess } from '../../base/this-process.ts'
import type { ServiceClient } from '../../client/service-client.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { Part } from '../../records/part.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import type { Study } from '../../study/study.ts'
import type { Plan } from '../plan/plan.ts'
import type { PlanOptions, Selection } from '../plan/plan-input.ts'
import type { SavedPlan } from '../plan/saved-plan.ts'
import type { ExitReason } from './exit-code.ts'
import type { RunEvent } from './run-event.ts'
import type { SeedObjects } from './seed-objects.ts'
import type { SharedStore } from './shared-store.ts'

/** The study to run, and the options. All paths are absolute. */
export interface RunRequest {
  readonly study: Study
  /** Findings of `loadStudy`; without errors. They go into the manifest. */
  readonly diagnostics: readonly Diagnostic[]
  readonly studyFile: string
  /** Its text, for the digest in the run's record; absent: the record has none. */
  readonly studyText?: string
  readonly projectRoot: string
  /** `--out`; null: the study's own. */
  readonly out: string | null
  readonly service: ServiceLabel
  readonly options: RunOptions
  readonly provenance: Provenance
  /** `whatif merge`: the results come from these parts of the study, and nothing is submitted. */
  readonly parts?: FoundParts
}

/** The parts of a study that are to be merged, by their index. */
export interface FoundParts {
  /** How many there should be. */
  readonly of: number
  /** A part may be there more than once. */
  readonly parts: readonly FoundPart[]
}

export interface FoundPart {
  /** Absolute; the artifacts lie in it. */
  readonly folder: string
  readonly part: Part
}

export interface ServiceLabel {
  /** Names the state folder: `embedded`, or the first 8 hex digits of sha256 of origin and client id. */
  readonly label: string
  readonly kind: 'embedded' | 'remote'
  /** Version of the engine that trains, if known without asking. */
  readonly engine?: string | null
}

/** The options of a run, as the flags of `whatif run` state them. */
export interface RunOptions extends PlanOptions {
  /** Generations in flight. */
  readonly concurrency: number
  /** For the whole run; null = none. */
  readonly deadlineMs: number | null
  /** Replaces `policy.on_failure`. */
  readonly onFailure: 'continue' | 'stop' | null
  /** Permits a selection that matches nothing. */
  readonly allowEmpty: boolean
  /** Seed files and output may be outside the project. */
  readonly allowOutside: boolean
  /** Seed files and output may be hidden or in hidden folders of the project. */
  readonly allowHidden: boolean
  readonly lockTimeoutMs: number
  /** `skip`: a held lock ends the run with exit code 0. */
  readonly ifLocked: 'fail' | 'skip'
  readonly exitZeroOn: ReadonlySet<'gates' | 'partial'>
  /** `--dataset name=ds_…`. */
  readonly datasetIds: ReadonlyMap<string, string>
  /** False (`whatif resume`): only work that was submitted before is collected. */
  readonly submit: boolean
  /** `--locked`: only against the data that the lock file describes. */
  readonly locked: boolean
  /** False (`--no-html`): no `report.html` is written, whatever the study says. */
  readonly html: boolean
  /** `--reads`: scopes of a shared state whose results the run takes as its own. */
  readonly reads: readonly string[]
  /** `--download`: which results of a shared state are brought to this disk; null: those that are read. */
  readonly download: Selection | null
  /** `--plan`: refuse when any of its inputs changed. */
  readonly savedPlan: SavedPlan | null
}

export interface Provenance {
  readonly tool: string
  readonly node: string
  readonly git: { readonly commit: string; readonly dirty: boolean } | null
  /** Name of the CI system. */
  readonly ci: string | null
}

/** Everything outside the program that a run uses. */
export interface RunEnvironment {
  readonly fs: FileSystem
  readonly clock: Clock
  /** Aborted with a `RunInterruptedError` on SIGINT and SIGTERM. */
  readonly signal: AbortSignal
  readonly onEvent: (event: RunEvent) => void
  /** Called at most once, and only when the service is needed; the run closes the client. */
  readonly client: () => Promise<ServiceClient>
  readonly measure: MeasureArtifact
  /** Opens the state that several machines share; absent: it is on this disk. The caller closes it. */
  readonly shared?: (() => Promise<SharedStore>) | undefined
  /** Objects that datasets name; absent: none can be read. */
  readonly objects?: SeedObjects | undefined
  /** Uniform in [0, 1). Used for ids of runs, drawn seeds and jitter. */
  readonly random: () => number
  readonly process: ThisProcess
  /**
   * Called with the plan once, before anything that can cost money is sent; not called when nothing will be. Absent:
   * go.
   */
  readonly confirm?: (plan: Plan) => Promise<{ readonly go: true } | { readonly go: false; readonly message: string }>
}

/** How a run ended, and what it wrote. */
export interface RunResult {
  readonly exitCode: number
  readonly reason: ExitReason
  /** Further causes, by precedence. */
  readonly also: readonly ExitReason[]
  /**
   * The message for people when the run was refused, broke off, or left scenarios because the service did not answer.
   * Names no host.
   */
  readonly message: string | null
  /** The same with the address of the service, for a terminal: it is never written to a file. */
  readonly located: string | null
  /** The manifest's texts of scenarios that the message already explains. */
  readonly explained: readonly string[]
  /** Findings of the study file and of the live check. */
  readonly diagnostics: readonly Diagnostic[]
  readonly plan: Plan | null
  readonly manifest: Manifest
  /** `manifest.json`, or the run's record when the run was refused; null when nothing could be written. */
  readonly manifestPath: string | null
  /**
   * Nothing was generated or fetched: `manifest.json` belongs to the previous run, and `manifestPath` is this run's
   * record.
   */
  readonly keepsLast: boolean
  /** `report.html` beside the manifest; null when this run wrote none. */
  readonly reportPath: string | null
  /** Null unless the run wrote its manifest. */
  readonly digest: string | null
  /** An error that the run did not expect, with its stack. */
  readonly error: unknown
}
