import { type CanonicalValue, canonicalFigures, canonicalJson } from '../../base/canonical-json.ts'
import type { ColumnKind } from '../../base/column-kind.ts'
import { sha256Hex } from '../../base/sha256.ts'
import { backtestValue } from '../backtests.ts'
import type { Declarations } from '../declarations.ts'
import { type GateKind, type Gates, gateOf, gatesOf } from '../gates/gate.ts'
import { outcomesValue } from '../outcomes/outcome.ts'
import { rowFilterValue } from '../outcomes/row-filter.ts'
import type { Comparison, PartialPolicy, Study } from '../study.ts'
import { type BodySource, bodyFields, canonicalBody } from './canonical-body.ts'
import { declarationsValue } from './declarations-value.ts'

/** Hashes of meaning (study language, section 6): 64 lower-case hexadecimal digits, stable for years. */

/**
 * What the rows of a dataset depend on. `datasetId` is for a dataset trained elsewhere, known only by its cleaned
 * schema.
 */
export type DatasetIdentity =
  | {
      readonly fileSha256: string
      readonly autoClean: boolean
      /** Absent: the study declares nothing about the file. */
      readonly declarations?: Declarations | undefined
    }
  | { readonly datasetId: string; readonly schemaSha256: string }

export function datasetFingerprint(dataset: DatasetIdentity): string {
  return hash(
    'fileSha256' in dataset
      ? {
          v: 1,
          kind: 'dataset',
          file_sha256: dataset.fileSha256,
          auto_clean: dataset.autoClean,
          // Left out when absent, so that studies without declarations keep their fingerprints.
          declarations: dataset.declarations && declarationsValue(dataset.declarations),
        }
      : { v: 1, kind: 'dataset', dataset_id: dataset.datasetId, schema_sha256: dataset.schemaSha256 },
  )
}

/** A column of a cleaned schema, as far as drift uses it. Bounds of date columns may be RFC 3339 text. */
export interface SchemaColumnIdentity {
  readonly name: string
  readonly kind: ColumnKind
  readonly levels?: readonly string[] | undefined
  readonly min?: number | string | undefined
  readonly max?: number | string | undefined
}

type SchemaIdentity = (column: SchemaColumnIdentity) => { readonly [field: string]: CanonicalValue | undefined }

const levelsOf: SchemaIdentity = ({ levels }) => ({ levels: levels && [...levels].sort(byCodeUnit) })

const IDENTITY_OF_KIND: { readonly [Kind in ColumnKind]: SchemaIdentity } = {
  categorical: levelsOf,
  numeric: ({ min, max }) => ({ min, max }),
  unknown: levelsOf,
}

/** Changes with the cleaning result. The sequence of columns and levels does not matter. */
export function schemaSha256(columns: readonly SchemaColumnIdentity[]): string {
  const entries = columns
    .map((column) => ({ name: column.name, kind: column.kind, ...IDENTITY_OF_KIND[column.kind](column) }))
    .sort((a, b) => byCodeUnit(a.name, b.name))
  return sha256Hex(canonicalFigures({ v: 1, kind: 'schema', columns: entries }))
}

/**
 * Identifies a scenario: the data and every field that is sent, but neither its name nor its gates. `seed` is the drawn
 * seed. It is required exactly when the scenario's seed is `random`, because such a scenario has no fingerprint before
 * its seed is drawn.
 */
export function scenarioFingerprint(dataset: string, scenario: BodySource, seed?: number): string {
  return bodyFingerprint(dataset, canonicalBody(scenario, seed))
}

/**
 * Identifies a dataset, or a scenario generated from it, by what it means, stable for years. It is `datasetFingerprint`
 * and `scenarioFingerprint` in one step. `seed` is the drawn seed, required exactly when the scenario's seed is `random`.
 */
export function fingerprint(dataset: DatasetIdentity, scenario?: BodySource, seed?: number): string {
  const data = datasetFingerprint(dataset)
  return scenario === undefined ? data : scenarioFingerprint(data, scenario, seed)
}

/** `scenarioFingerprint` for a known `canonicalBody`. */
export function bodyFingerprint(dataset: string, body: string): string {
  // The body is canonical already; `body` sorts before `dataset`, `kind` and `v`.
  return sha256Hex(`{"body":${body},"dataset":${canonicalJson(dataset)},"kind":"scenario","v":1}`)
}

/**
 * Covers everything that can change the result of a run: scenarios, gates, comparisons, backtests, policies and budget. `datasets`
 * maps dataset ids to fingerprints. A random seed counts as the word `random`, drawn or not, so drawing changes
 * nothing. `known` holds scenario fingerprints by scenario id, made with these datasets, to avoid computing them again.
 */
export function studyDigest(
  study: Study,
  datasets: ReadonlyMap<string, string>,
  known?: ReadonlyMap<string, string>,
): string {
  const scenarios = study.scenarios.map((scenario): [string, CanonicalValue] => {
    const dataset = datasets.get(scenario.dataset)
    if (dataset === undefined) throw new RangeError(`no fingerprint given for dataset "${scenario.dataset}"`)
    return [
      scenario.id,
      scenario.seed === 'random'
        ? hash({ v: 1, kind: 'scenario', dataset, body: bodyFields(scenario, 'random') })
        : (known?.get(scenario.id) ?? scenarioFingerprint(dataset, scenario)),
    ]
  })
  // Canonical: `scenarios` and `v` sort after all members that do not depend on data.
  const list = canonicalJson(scenarios.sort(([a], [b]) => byCodeUnit(a, b)))
  return sha256Hex(`${evaluationText(study).slice(0, -1)},"scenarios":${list},"v":1}`)
}

/** A run plans several times, and the gates of its scenarios stay the same. */
const evaluationTexts = new WeakMap<Study, string>()

function evaluationText(study: Study): string {
  const known = evaluationTexts.get(study)
  if (known !== undefined) return known
  // `gates` sorts between `comparisons` and `kind`.
  const before = canonicalJson({
    // Left out when absent, so that studies from before this section keep their digests.
    backtests: study.backtests.length === 0 ? undefined : new Map(study.backtests.map((b) => [b.id, backtestValue(b)])),
    budget: budgetValue(study),
    comparisons: new Map(study.comparisons.map((c) => [c.id, comparisonValue(c)])),
  })
  const after = canonicalJson({
    kind: 'study',
    policy: policyValue(study),
  })
  const text = `${before.slice(0, -1)},"gates":${gatesText(study)},${after.slice(1)}`
  evaluationTexts.set(study, text)
  return text
}

/** Canonical, by scenario id. Many scenarios share a few gates, whose text is made once. */
function gatesText(study: Study): string {
  const texts = new Map<object, string>()
  const textOf = <T extends object>(part: T, value: (part: T) => CanonicalValue): string => {
    let text = texts.get(part)
    if (text === undefined) {
      text = canonicalJson(value(part))
      texts.set(part, text)
    }
    return text
  }
  const entries = [...study.scenarios]
    .sort((a, b) => byCodeUnit(a.id, b.id))
    .map(({ id, expect, partial, warn }) => {
      const gates = [textOf(expect, gatesValue), textOf(partial, partialValue), textOf(warn, gatesValue)]
      return `${canonicalJson(id)}:{"expect":${gates[0]},"partial":${gates[1]},"warn":${gates[2]}}`
    })
  return `{${entries.join(',')}}`
}

/** Fields of `study` in a manifest that are for readers: other words or another sequence change no result. */
const OF_OUTLINE: ReadonlySet<string> = new Set(['description', 'scenario_order', 'axes'])
const OF_SCENARIO: ReadonlySet<string> = new Set(['description'])

/**
 * Covers a manifest's results: everything but `run` and `trace`, which differ from run to run, and but what readers
 * know the study by: descriptions and the sequence in the file. What `--exit-zero-on` forgives is no other result.
 */
export function manifestDigest(manifest: object): string {
  const results = new Map(Object.entries(manifest).filter(([key]) => key !== 'run' && key !== 'trace'))
  const { study, scenarios, outcome } = manifest as Partial<Record<'study' | 'scenarios' | 'outcome', object | null>>
  if (outcome) results.set('outcome', unforgiven(outcome))
  if (study) results.set('study', without(study, OF_OUTLINE))
  if (scenarios) {
    const entries = Object.entries(scenarios) as [string, object][]
    results.set('scenarios', new Map(entries.map(([id, scenario]) => [id, without(scenario, OF_SCENARIO)])))
  }
  return sha256Hex(canonicalFigures(results))
}

/** The last ones in the precedence of reasons, with their exit codes. */
const FORGIVABLE: Readonly<Record<string, number>> = { partial_below_policy: 8, gates_failed: 9 }

/** The outcome as it is without forgiveness, which moves a reason behind the others and changes the exit code. */
function unforgiven(outcome: object): CanonicalValue {
  const { reason, also } = outcome as { readonly reason?: unknown; readonly also?: unknown }
  if (!Array.isArray(also) || !also.some((other) => Object.hasOwn(FORGIVABLE, String(other))))
    return outcome as CanonicalValue
  const reasons = [reason, ...also].filter((each) => each !== 'ok').map(String)
  const [first = 'ok', ...rest] = [
    ...reasons.filter((each) => !Object.hasOwn(FORGIVABLE, each)),
    ...Object.keys(FORGIVABLE).filter((each) => reasons.includes(each)),
  ]
  const code = FORGIVABLE[first]
  return { ...outcome, reason: first, also: rest, ...(code !== undefined && { exit_code: code }) } as CanonicalValue
}

function without(record: object, keys: ReadonlySet<string>): CanonicalValue {
  return new Map((Object.entries(record) as [string, CanonicalValue][]).filter(([key]) => !keys.has(key)))
}

export const budgetValue = ({ budget }: Study) => ({
  rows_per_run: budget.rowsPerRun,
  rows_per_scenario: budget.rowsPerScenario,
  new_datasets_per_run: budget.newDatasetsPerRun,
})

export const policyValue = ({ policy }: Study) => ({
  on_failure: policy.onFailure,
  drift: policy.drift,
  mixed_model: policy.mixedModel,
})

/** Kinds that came later are left out when absent, so that studies without such gates keep their digests. */
function gatesValue(gates: Gates): CanonicalValue {
  const number = (kind: GateKind) => gateOf(gates, kind)?.number ?? null
  const tolerances = (kind: GateKind) => {
    const all = gatesOf(gates, kind)
    const columns = all.flatMap(({ column, number: own }) => (column === null ? [] : [[column, own] as const]))
    return all.length === 0 ? null : { tolerance: number(kind), columns: new Map(columns) }
  }
  const values: { readonly [Kind in GateKind]: readonly [string, CanonicalValue | undefined] } = {
    fill: ['fill_min', number('fill')],
    shares: ['shares', tolerances('shares')],
    ranges: ['ranges_outside_max', number('ranges')],
    means: ['means', tolerances('means') ?? undefined],
    cells: ['cells', number('cells') ?? undefined],
  }
  return Object.fromEntries(Object.values(values))
}

export function partialValue(partial: PartialPolicy): CanonicalValue {
  return partial.kind === 'accept_from'
    ? { accept_from: partial.acceptFrom, otherwise: partial.otherwise }
    : partial.kind
}

function comparisonValue(comparison: Comparison): CanonicalValue {
  const gates = (list: Comparison['expect']) =>
    list.map((g) => ({
      scenario: g.scenario,
      column: g.column,
      level: g.level,
      delta_min: g.deltaMin,
      delta_max: g.deltaMax,
      // Left out when absent, so that studies from before this field keep their digests.
      quantile: g.quantile ?? undefined,
      confidence: g.confidence ?? undefined,
      adjust: g.adjust ?? undefined,
    }))
  return {
    scenarios: comparison.scenarios,
    against: comparison.against,
    ...outcomesValue(comparison),
    // Left out when absent, for the same reason.
    by: comparison.by ?? undefined,
    where: rowFilterValue(comparison.where),
    base: comparison.base ?? undefined,
    expect: gates(comparison.expect),
    warn: gates(comparison.warn),
  }
}

function hash(value: CanonicalValue): string {
  return sha256Hex(canonicalJson(value))
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
