import { escapeText } from '../spec/escape-text.ts'
import type { Plan } from './plan.ts'

/**
 * What `plan --save` keeps of a plan: enough to say later whether the same run would be made, and what it may cost. Holds
 * no secret, no address and no path.
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

/** A plan of 100,000 scenarios, the most that a study has, takes half of it. */
export const MAX_PLAN_BYTES = 64 * 1024 * 1024

/** Moved actions listed before the rest is only counted. */
const LISTED_ACTIONS = 5

/** What is wrong with a file that should hold a saved plan. */
export class SavedPlanFault extends Error {
  override readonly name = 'SavedPlanFault'
}

/** Throws `SavedPlanFault` for a plan that could not be recognised again. */
export function savePlan(plan: Plan, lockDigest: string | null): SavedPlan {
  if (plan.study.digest === null) {
    throw new SavedPlanFault(
      'the plan cannot be saved: a dataset named by id whose schema was never seen here, or a seed file that is missing, leaves open what it is a plan of; whatif validate looks at both',
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

/** One action per line, so that two saved plans can be compared by eye. */
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

/** Reads a saved plan; its bytes may be anything. Throws `SavedPlanFault`, which says what was expected and where. */
export function parseSavedPlan(text: string): SavedPlan {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's message quotes the text.
    throw new SavedPlanFault('it is not JSON')
  }
  const fields = mapOf(value, 'the file')
  const version = fields.get('plan_version')
  if (version !== 1) throw new SavedPlanFault('plan_version: expected the number 1; save the plan again')
  const matching = (name: string, pattern: RegExp, what: string): string => {
    const found = fields.get(name)
    if (typeof found !== 'string' || !pattern.test(found)) throw new SavedPlanFault(`${name}: expected ${what}`)
    return found
  }
  const orNull = (name: string, pattern: RegExp, what: string) =>
    fields.get(name) === null ? null : matching(name, pattern, `${what} or null`)
  const count = (name: string): number => {
    const found = fields.get(name)
    if (!Number.isSafeInteger(found) || (found as number) < 0)
      throw new SavedPlanFault(`${name}: expected a whole number of at least 0`)
    return found as number
  }
  return {
    study: matching('study', /^[a-z0-9._-]{1,40}$/, 'the name of a study'),
    studyDigest: matching('study_digest', /^[0-9a-f]{64}$/, '64 hexadecimal digits'),
    lockDigest: orNull('lock_digest', /^[0-9a-f]{64}$/, '64 hexadecimal digits'),
    service: matching('service', /^(embedded|[0-9a-f]{8})$/, '"embedded" or 8 hexadecimal digits'),
    scope: orNull('scope', /^[A-Za-z0-9_-]{1,48}$/, 'a label'),
    stateSerial: count('state_serial'),
    uploads: count('uploads'),
    rowsBound: count('rows_bound'),
    datasets: readActions(fields.get('datasets'), 'datasets'),
    scenarios: readActions(fields.get('scenarios'), 'scenarios'),
  }
}

function readActions(value: unknown, at: string): ReadonlyMap<string, SavedAction> {
  const actions = new Map<string, SavedAction>()
  for (const [id, entry] of mapOf(value, at)) {
    if (!/^[a-z0-9._-]{1,120}$/.test(id)) throw new SavedPlanFault(`${at}: ids are lower-case words`)
    const fields = mapOf(entry, `${at}.${id}`)
    const action = fields.get('action')
    const key = fields.get('idempotency_key')
    if (typeof action !== 'string' || !/^[a-z]{1,20}$/.test(action))
      throw new SavedPlanFault(`${at}.${id}.action: expected a word`)
    if (key !== null && (typeof key !== 'string' || !/^[A-Za-z0-9._-]{1,128}$/.test(key)))
      throw new SavedPlanFault(`${at}.${id}.idempotency_key: expected a request key or null`)
    actions.set(id, { action, key })
  }
  return actions
}

/** Data for keys: `__proto__` is one like any other. */
function mapOf(value: unknown, at: string): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SavedPlanFault(`${at}: expected an object`)
  return new Map(Object.entries(value))
}

/** What is not any more as it was when the plan was saved, in words; nothing when the plan still holds. */
export function planMoves(saved: SavedPlan, plan: Plan, lockDigest: string | null): readonly string[] {
  const now = actionsOf(plan)
  const was = (moved: boolean, text: string) => (moved ? [text] : [])
  return [
    ...was(saved.study !== plan.study.name, `the study's name (${saved.study} → ${plan.study.name})`),
    ...was(saved.service !== plan.service, `the service (${saved.service} → ${plan.service})`),
    ...was(saved.scope !== plan.scope, `the scope (${saved.scope ?? 'none'} → ${plan.scope ?? 'none'})`),
    ...was(saved.studyDigest !== plan.study.digest, 'the study or its data'),
    ...was(saved.lockDigest !== lockDigest, 'the lock file'),
    ...was(saved.stateSerial !== plan.stateSerial, 'the state (another run has been here)'),
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
