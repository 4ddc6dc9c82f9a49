import { escapeText } from '../../base/text/escape-text.ts'
import { WhatifError } from '../../base/whatif-error.ts'
import { validatePlan } from '../../generated/plan-shape-validator.ts'
import type { SavedPlanRecord } from '../../records/saved-plan.ts'
import type { Plan } from './plan.ts'

/**
 * What `plan --save` keeps of a plan: enough to decide later whether the same run would be made, and what it may cost.
 * Holds no secret, no address and no path.
 */
export interface SavedPlan {
  readonly study: string
  readonly studyDigest: string
  /** Null when there was no lock file. */
  readonly lockDigest: string | null
  /** As `Plan.service`. */
  readonly service: string
  readonly scope: string | null
  readonly stateSerial: number
  readonly uploads: number
  /** Most rows that can be billed. */
  readonly rowsBound: number
  readonly datasets: ReadonlyMap<string, SavedAction>
  readonly scenarios: ReadonlyMap<string, SavedAction>
}

interface SavedAction {
  readonly action: string
  /** Request key; null where there is none, or none yet. */
  readonly key: string | null
}

/** A plan of 100,000 scenarios, the most that a study can have, needs half of it. */
export const MAX_PLAN_BYTES = 64 * 1024 * 1024

/** Moved actions that are listed; further ones are only counted. */
const LISTED_ACTIONS = 5

/** Code of a file that is not a saved plan, and of a plan that cannot be saved. */
export const UNUSABLE_PLAN = 'saved_plan'

/**
 * Keeps of a plan what `--plan` later compares.
 *
 * @param lockDigest of the lock file (`planFromDisk` returns it); null when there is none
 * @throws WhatifError with `UNUSABLE_PLAN` for a plan that could not be recognised again.
 */
export function savePlan(plan: Plan, lockDigest: string | null): SavedPlan {
  if (plan.study.digest === null) {
    throw new WhatifError(
      UNUSABLE_PLAN,
      'the plan cannot be saved: it is incomplete without the schema of a dataset named by id, which was never seen here, or without a seed file, which is missing; whatif validate checks both',
    )
  }
  return {
    study: plan.study.name,
    studyDigest: plan.study.digest,
    lockDigest,
    service: plan.service,
    scope: plan.scope,
    stateSerial: plan.stateSerial,
    uploads: plan.totals.upload,
    rowsBound: plan.totals.rowsBound,
    ...actionsOf(plan),
  }
}

function actionsOf(plan: Plan): Pick<SavedPlan, 'datasets' | 'scenarios'> {
  return {
    datasets: new Map(
      plan.datasets.map(({ id, action }) => [id, { action: action.kind, key: 'key' in action ? action.key : null }]),
    ),
    scenarios: new Map(plan.scenarios.map(({ id, action, key }) => [id, { action: action.kind, key }])),
  }
}

/** The text of the file of a saved plan. One action per line, so that two of them can be compared by eye. */
export function savedPlanText(saved: SavedPlan): string {
  const actions = (entries: SavedPlan['scenarios']) => {
    const lines = [...entries].map(
      ([id, { action, key }]) => `    ${JSON.stringify(id)}: ${JSON.stringify({ action, idempotency_key: key })}`,
    )
    return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`
  }
  const field = (name: string, value: string | number | null) => `  "${name}": ${JSON.stringify(value)}`
  return `{
${[
  field('plan_version', 1),
  field('study', saved.study),
  field('study_digest', saved.studyDigest),
  field('lock_digest', saved.lockDigest),
  field('service', saved.service),
  field('scope', saved.scope),
  field('state_serial', saved.stateSerial),
  field('uploads', saved.uploads),
  field('rows_bound', saved.rowsBound),
  `  "datasets": ${actions(saved.datasets)}`,
  `  "scenarios": ${actions(saved.scenarios)}`,
].join(',\n')}
}
`
}

/** A function made by Ajv; the generated module has no types. */
interface Validator {
  (value: unknown): boolean
  errors?: readonly ShapeError[] | null
}

interface ShapeError {
  readonly instancePath: string
  readonly params: { readonly missingProperty?: string }
  readonly parentSchema: ShapeNode
}

interface ShapeNode {
  readonly description?: string
  readonly properties?: { readonly [key: string]: ShapeNode }
}

/**
 * Reads a saved plan; its bytes may be anything. Unknown fields are ignored.
 *
 * @throws WhatifError with `UNUSABLE_PLAN` for a file that does not match `schemas/plan.v1.json`: the expected value and
 *   its place.
 */
export function parseSavedPlan(text: string): SavedPlan {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's message quotes the text.
    throw new WhatifError(UNUSABLE_PLAN, 'it is not JSON')
  }
  const validate = validatePlan as unknown as Validator
  if (!validate(value)) throw faultOf(validate.errors?.[0])
  const plan = value as SavedPlanRecord
  return {
    study: plan.study,
    studyDigest: plan.study_digest,
    lockDigest: plan.lock_digest,
    service: plan.service,
    scope: plan.scope,
    stateSerial: plan.state_serial,
    uploads: plan.uploads,
    rowsBound: plan.rows_bound,
    datasets: readActions(plan.datasets),
    scenarios: readActions(plan.scenarios),
  }
}

function readActions(actions: SavedPlanRecord['datasets']): ReadonlyMap<string, SavedAction> {
  return new Map(Object.entries(actions).map(([id, { action, idempotency_key: key }]) => [id, { action, key }]))
}

/** The description in the schema begins with the expected value. Ids have been checked before anything under them. */
function faultOf(error: ShapeError | undefined): WhatifError {
  const missing = error?.params.missingProperty
  const path = [...(error?.instancePath ?? '').split('/').slice(1), ...(missing === undefined ? [] : [missing])]
  const schema = missing === undefined ? error?.parentSchema : error?.parentSchema.properties?.[missing]
  const what = (schema?.description ?? 'a value as in the schema').replace(/^[A-Z](?=[a-z ])/, (letter) =>
    letter.toLowerCase(),
  )
  return new WhatifError(UNUSABLE_PLAN, `${path.join('.') || 'the file'}: expected ${what.replace(/\.$/, '')}`)
}

/** The changes since the plan was saved, in words; empty when the plan still holds. */
export function planMoves(saved: SavedPlan, plan: Plan, lockDigest: string | null): readonly string[] {
  const now = actionsOf(plan)
  const was = (moved: boolean, text: string) => (moved ? [text] : [])
  return [
    ...was(saved.study !== plan.study.name, `the study's name (${saved.study} → ${plan.study.name})`),
    ...was(saved.service !== plan.service, `the service (${saved.service} → ${plan.service})`),
    ...was(saved.scope !== plan.scope, `the scope (${saved.scope ?? 'none'} → ${plan.scope ?? 'none'})`),
    ...was(saved.studyDigest !== plan.study.digest, 'the study or its data'),
    ...was(saved.lockDigest !== lockDigest, 'the lock file'),
    ...was(saved.stateSerial !== plan.stateSerial, 'the state (another run took place)'),
    ...movedActions('datasets', saved.datasets, now.datasets),
    ...movedActions('scenarios', saved.scenarios, now.scenarios),
    ...was(
      saved.rowsBound !== plan.totals.rowsBound,
      `the bound on billed rows (${saved.rowsBound} → ${plan.totals.rowsBound})`,
    ),
  ]
}

function movedActions(what: string, before: SavedPlan['scenarios'], after: SavedPlan['scenarios']): readonly string[] {
  const moved = [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const [a, b] = [before.get(id), after.get(id)]
    if (a?.action === b?.action && a?.key === b?.key) return []
    const change = a?.action === b?.action ? 'another request' : `${a?.action ?? 'absent'} → ${b?.action ?? 'absent'}`
    return [`${escapeText(id)}: ${change}`]
  })
  if (moved.length === 0) return []
  const more = moved.length - LISTED_ACTIONS
  const listed = [...moved.slice(0, LISTED_ACTIONS), ...(more > 0 ? [`and ${more} more`] : [])]
  return [`actions of ${what} (${listed.join(', ')})`]
}
