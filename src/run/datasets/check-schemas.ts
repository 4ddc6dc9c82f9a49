import type { Plan } from '../../plan/plan.ts'
import type { DatasetFacts } from '../../plan/study-state.ts'
import { type Diagnostic, hasErrors } from '../../study/diagnostics/diagnostic.ts'
import { checkDataset } from '../../study/live-schema/check-dataset.ts'
import { scenariosAdrift } from '../../study/lock/check-drift.ts'
import { lockedSchema } from '../../study/lock/locked-schema.ts'
import type { Study } from '../../study/study.ts'
import type { LockFile } from '../files/study-lock-file.ts'
import { generates } from '../generations/generate-all.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import { cleanedSchema } from '../session/dataset-records.ts'
import { announce } from '../session/end-scenario.ts'
import type { RunContext } from '../session/run-context.ts'
import { knownFacts } from './current-upload.ts'

/**
 * Holds the conditions of all scenarios, selected or not, against the cleaned schemas of the datasets that something is
 * about to be generated from. Refuses the run before the first generation when one does not fit.
 */
export function checkAgainstSchemas(context: RunContext, plan: Plan): void {
  const names = new Set(plan.scenarios.filter((s) => generates(s) && !context.ends.has(s.id)).map((s) => s.dataset))
  const found = [...names].flatMap((name) => findings(context, name))
  if (found.length > 0) context.emit({ type: 'diagnostics', diagnostics: found })
  if (!hasErrors(found)) {
    for (const name of names) refuseAdrift(context, name)
    return
  }
  const errors = found.filter((d) => d.severity === 'error').length
  throw new RunRefusalError(
    'does_not_fit_data',
    'conditions',
    `${errors} ${errors === 1 ? 'condition does' : 'conditions do'} not fit the cleaned data; nothing was generated`,
  )
}

/** Scenarios that `policy.drift: warn` lets the others run without: nothing is sent for them. */
function refuseAdrift(context: RunContext, name: string): void {
  const facts = knownFacts(context, name)
  if (facts === null || context.lockFile?.lock == null) return
  const ids = { requestId: null, jobId: null, generationId: null, datasetId: null }
  for (const [id, why] of scenariosAdrift(context.study, name, cleanedSchema(facts, ''))) {
    const planned = context.planned(id)
    // What is up to date asks for nothing, whatever the data have become.
    if (planned === null || !planned.selected || planned.action.kind === 'reuse') continue
    const detail = `${why} since ${context.lockFile.name}; nothing was sent`
    const fault = { code: 'drift', detail, message: detail, ...ids }
    announce(context, id, { kind: 'failed', status: 'refused', fault, cause: 'does_not_fit_data', key: null })
  }
}

/** What is known against or about the study's conditions, for the manifest: the same in every run with the same schemas. */
export function schemaFindings(context: RunContext): Diagnostic[] {
  const used = new Set(context.study.scenarios.map((s) => s.dataset))
  return [...context.study.datasets.keys()].filter((name) => used.has(name)).flatMap((name) => findings(context, name))
}

/** Checks made so far: a running manifest asks for them twice a second. */
const made = new WeakMap<RunContext, Map<string, readonly Diagnostic[]>>()

function findings(context: RunContext, name: string): readonly Diagnostic[] {
  const facts = knownFacts(context, name)
  if (facts === null) return []
  const known = made.get(context) ?? new Map<string, readonly Diagnostic[]>()
  made.set(context, known)
  const id = `${name} ${facts.schemaSha256} ${context.lockFile !== null}`
  let found = known.get(id)
  if (found === undefined) {
    found = findingsAgainst(context.study, name, facts, context.lockFile)
    known.set(id, found)
  }
  return found
}

/** One dataset's conditions held against what is known of it, and that against the lock. */
export function findingsAgainst(
  study: Study,
  name: string,
  facts: DatasetFacts,
  file: LockFile | null,
): readonly Diagnostic[] {
  const label = `${name}, as cleaned by the service (${facts.schemaSha256?.slice(0, 8) ?? 'unknown'})`
  const entry = file?.lock?.datasets.get(name)
  const lock =
    file?.lock == null || entry === undefined
      ? null
      : { schema: lockedSchema(file.lock, name, entry, file.name), fileName: file.name }
  return checkDataset(study, name, cleanedSchema(facts, label), lock)
}
