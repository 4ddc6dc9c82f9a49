/**
 * The library: what a program needs to check, plan and run studies, and to start the service. Held back on purpose: the
 * engine, the file formats and the service's routes, which are reached through the service and may change freely, and the
 * hashes of which fingerprints and digests are made. docs/library.md lists all names, by the first sentences of their
 * docstrings.
 *
 * Importing this loads neither the service nor the readers of data files; they load on first use.
 */
import type { startService as start } from './service/start-service.ts'

export { measure } from './answers/counts/measure.ts'
export { parseManifest } from './answers/manifest/parse-manifest.ts'
export { evaluateGates, type GateReview, type ManifestReview } from './answers/manifest/review-manifest.ts'
export { systemClock } from './base/clock.ts'
export { LANGUAGES, type Language } from './base/language/catalogues.ts'
export { createServiceClient, type ServiceClientOptions } from './client/create-service-client.ts'
export type { ServiceClient } from './client/service-client.ts'
export { ServiceError } from './client/service-error.ts'
export {
  type RunStudyFileOptions,
  runStudyFile,
  type ServiceAccess,
  type StudyFileResult,
} from './local/run-study-file.ts'
export { SetupError } from './local/setup-error.ts'
export type { StorageAccess } from './local/storage-access.ts'
export { type VerifyOptions, verifyRun } from './local/verification/verify-run.ts'
export type { Manifest } from './records/manifest/manifest.ts'
export type { VerificationRecord } from './records/verification.ts'
export { type ReportFormat, report, reportIn } from './report/report.ts'
export { readMarginsFiles } from './runner/files/margins-files.ts'
export { EXIT_CODES, RunInterruptedError } from './runner/interface/exit-code.ts'
export type { RunEvent } from './runner/interface/run-event.ts'
export type { RunEnvironment, RunOptions, RunRequest, RunResult } from './runner/interface/run-options.ts'
export { lockStudy, type StudyLocking } from './runner/lock-study.ts'
export type { Plan } from './runner/plan/plan.ts'
export type { PlanInput, PlanOptions } from './runner/plan/plan-input.ts'
export { DEFAULT_PLAN_OPTIONS } from './runner/plan/plan-input.ts'
export { planJson } from './runner/plan/plan-json.ts'
export { plan } from './runner/plan/plan-study.ts'
export { renderPlan } from './runner/plan/render-plan.ts'
export { parseSavedPlan, type SavedPlan, savedPlanText, savePlan } from './runner/plan/saved-plan.ts'
export { emptyState, type StudyState } from './runner/plan/study-state.ts'
export { planFromDisk } from './runner/plan-from-disk.ts'
export { run } from './runner/run-study.ts'
export { readStudyStatus, type StudyStatus } from './runner/study-status.ts'
export type { RunningService } from './service/start-service.ts'
export { DIAGNOSTIC_CATALOGUE } from './study/diagnostics/catalogue.ts'
export type { Diagnostic } from './study/diagnostics/diagnostic.ts'
export { diagnosticToJson, renderDiagnostics } from './study/diagnostics/render-diagnostic.ts'
export { canonicalBody } from './study/hashing/canonical-body.ts'
export { type DatasetIdentity, fingerprint } from './study/hashing/fingerprint.ts'
export { datasetKeyHash, generationKeyHash, requestKey, type Scope } from './study/hashing/request-key.ts'
export { loadStudy } from './study/load/load-study.ts'
export type { StudyLock } from './study/lock/lock.ts'
export { parseLock } from './study/lock/parse-lock.ts'
export type { MarginsFile } from './study/margins/margins-file.ts'
export type { Scenario, Study } from './study/study.ts'
export { expand } from './study/study.ts'

/**
 * Starts the service on a data folder and listens. Its options are the settings of `whatif serve`; the environment is not
 * read. Closing it hands unfinished jobs back to its queue.
 */
export const startService: typeof start = async (options) =>
  (await import('./service/start-service.ts')).startService(options)
