import type { Plan } from '../plan/plan.ts'
import type { DatasetFacts } from '../plan/study-state.ts'
import { checkConditions } from '../spec/check-conditions.ts'
import { type Diagnostic, hasErrors } from '../spec/diagnostic.ts'
import type { Study } from '../spec/study.ts'
import { knownFacts } from './current-upload.ts'
import { cleanedSchema } from './dataset-facts.ts'
import { RunRefusal } from './exit-code.ts'
import { generates } from './generate-all.ts'
import type { RunContext } from './run-context.ts'

/**
 * Holds the conditions of all scenarios, selected or not, against the cleaned schemas of the datasets that something is
 * about to be generated from. Refuses the run before the first generation when one does not fit.
 */
export function checkAgainstSchemas(context: RunContext, plan: Plan): void {
  const names = new Set(plan.scenarios.filter((s) => generates(s) && !context.ends.has(s.id)).map((s) => s.dataset))
  const found = [...names].flatMap((name) => findings(context, name))
  if (found.length > 0) context.emit({ type: 'diagnostics', diagnostics: found })
  if (!hasErrors(found)) return
  const errors = found.filter((d) => d.severity === 'error').length
  throw new RunRefusal(
    'does_not_fit_data',
    'conditions',
    `${errors} ${errors === 1 ? 'condition does' : 'conditions do'} not fit the cleaned data; nothing was generated`,
  )
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
  const id = `${name} ${facts.schemaSha256}`
  let found = known.get(id)
  if (found === undefined) {
    found = findingsAgainst(context.study, name, facts)
    known.set(id, found)
  }
  return found
}

/** The conditions on one dataset held against what is known of it. */
export function findingsAgainst(study: Study, name: string, facts: DatasetFacts): readonly Diagnostic[] {
  const label = `${name}, as cleaned by the service (${facts.schemaSha256?.slice(0, 8) ?? 'unknown'})`
  return checkConditions(study, name, cleanedSchema(facts, label))
}
