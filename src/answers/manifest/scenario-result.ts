import { dataRecord } from '../../base/data-record.ts'
import { RESULT_FORMATS } from '../../base/result-formats.ts'
import { plural } from '../../base/text/amount-text.ts'
import { cutText } from '../../base/text/fit-text.ts'
import type {
  ManifestPartialPolicy,
  ManifestRequest,
  ManifestRows,
  ManifestScenario,
  RuleResult,
  ScenarioStatus,
} from '../../records/manifest/scenarios.ts'
import type { ExportedRecord, GenerationRecord, StoredArtifact } from '../../records/state/generations.ts'
import type { Measurement } from '../../records/state/measurements.ts'
import { closedConditions } from '../../study/conditions/kinds.ts'
import type { PartialPolicy, Scenario } from '../../study/study.ts'
import { effectiveRange, standardErrorFactors } from '../arithmetic/effective-rows.ts'
import { roundRatio, roundStatistic } from '../arithmetic/figures.ts'
import { conditionResults, NO_RESULTS, sentOr } from '../counts/condition-results.ts'
import { evaluateScenarioGates } from '../gates/gates.ts'
import { nearestMixRecord } from './nearest-mix-record.ts'
import { hasRows } from './scenario-statuses.ts'

/** The status of a scenario; `record` is the work behind it, at any stage. */
export interface ScenarioStanding {
  readonly status: ScenarioStatus
  readonly fingerprint: string | null
  /** Canonical body. */
  readonly body: string | null
  readonly record: GenerationRecord | null
  /** Relative to the manifest; null until the artifact is there. */
  readonly artifactPath: string | null
  /** The result file that was made of the artifact, its path relative to the manifest; null until it is there. */
  readonly exported?: Pick<ExportedRecord, 'path' | 'bytes' | 'sha256' | 'notes'> | null
  readonly error: { readonly code: string; readonly detail: string } | null
}

/** A manifest need not repeat the schema. */
const MOST_FORMULA_NOTES = 20

/** A problem's `detail` is cut to this many characters wherever it is written. */
const MOST_DETAIL = 500

/** The manifest's entry for one scenario: requested and achieved values, counted in the artifact. */
export function scenarioResult(scenario: Scenario, standing: ScenarioStanding): ManifestScenario {
  const { status, record, error } = standing
  const isDone = hasRows(status)
  const artifact = isDone ? (record?.artifact ?? null) : null
  const measured = artifact?.measured ?? null
  const sent = asSent(scenario, standing.body)
  return {
    group: scenario.group,
    axes: dataRecord(scenario.axes),
    fingerprint: standing.fingerprint,
    dataset: scenario.dataset,
    ...(scenario.margins && { margins: scenario.margins }),
    // What the conditions leave to the data is no request yet.
    request:
      standing.body === null || closedConditions(sent.conditions, null) === null
        ? null
        : (JSON.parse(standing.body) as ManifestRequest),
    status,
    rows: rowsOf(scenario, record, measured),
    ...(measured === null ? NO_RESULTS : conditionResults(sent, measured)),
    ...(measured?.rules && { rules: ruleResults(measured.rules) }),
    artifact: artifactOf(scenario, artifact, standing),
    gates: measured === null ? [] : evaluateScenarioGates(sent, measured),
    ...(record?.shortfall && status !== 'ready' ? { shortfall: shortfallOf(record.shortfall) } : {}),
    ...(record?.evidence && isDone ? evidenceFields(record.evidence, measured) : {}),
    ...(status === 'partial' ? { partial: partialOf(scenario.partial) } : {}),
    ...(error === null ? {} : { error: { code: error.code, detail: cutText(error.detail, MOST_DETAIL) } }),
  }
}

/** The same in the words of a manifest. */
export const ruleResults = (counted: NonNullable<Measurement['rules']>): RuleResult[] =>
  counted.map(({ rule, columns, rows, broken }) => ({ rule, columns: [...columns], rows, violations: broken }))

function asSent(scenario: Scenario, body: string | null): Scenario {
  const conditions = sentOr(scenario, body)
  return conditions === scenario.conditions ? scenario : { ...scenario, conditions }
}

function rowsOf(scenario: Scenario, record: GenerationRecord | null, measured: Measurement | null): ManifestRows {
  return {
    requested: scenario.rows,
    reported: record?.rowsReported ?? null,
    counted: measured?.rows ?? null,
    fill: measured === null ? null : roundRatio(measured.rows / scenario.rows),
  }
}

function artifactOf(
  scenario: Scenario,
  artifact: StoredArtifact | null,
  { artifactPath: path, exported }: ScenarioStanding,
): ManifestScenario['artifact'] {
  if (artifact === null || path === null) return null
  const received = { path, format: scenario.format, bytes: artifact.bytes, sha256: artifact.sha256 }
  const told = formulaNotes(scenario, artifact.measured)
  if (scenario.form === undefined) return told.length === 0 ? received : { ...received, notes: told }
  if (exported == null) return null
  const { format, names } = scenario.form
  const notes = [...exported.notes, ...told]
  return {
    path: exported.path,
    format,
    bytes: exported.bytes,
    sha256: exported.sha256,
    ...(names === 'original' && { names }),
    received,
    ...(notes.length > 0 && { notes }),
  }
}

/** Spreadsheet programs calculate such cells of CSV. */
function formulaNotes({ format, form }: Scenario, { formulas = [] }: Measurement): readonly string[] {
  if (!RESULT_FORMATS[form?.format ?? format].mayHoldFormulas) return []
  const escaped = form?.escapesFormulas ?? false
  const notes = formulas.slice(0, MOST_FORMULA_NOTES).map(([column, cells]) => {
    const what = `${plural(cells, 'cell')} that ${cells === 1 ? 'begins' : 'begin'} like a formula (=, +, - or @)`
    return escaped ? `column "${column}": an apostrophe is in front of ${what}` : `column "${column}": ${what}`
  })
  const more = formulas.length - notes.length
  return more > 0 ? [...notes, `${plural(more, 'more column')} with such cells`] : notes
}

function partialOf(policy: PartialPolicy): ManifestPartialPolicy {
  return policy.kind === 'accept_from' ? { accept_from: policy.acceptFrom, otherwise: policy.otherwise } : policy.kind
}

function shortfallOf(
  shortfall: NonNullable<GenerationRecord['shortfall']>,
): NonNullable<ManifestScenario['shortfall']> {
  return {
    detail: cutText(shortfall.detail, MOST_DETAIL),
    binding: shortfall.binding.map(({ column, level, target, seed_rows, nearest }) => ({
      column,
      ...(level === undefined ? {} : { level }),
      ...(target === undefined ? {} : { target }),
      ...(seed_rows === undefined ? {} : { seed_rows }),
      ...(nearest === undefined ? {} : { nearest }),
    })),
    ...(shortfall.nearest_mix === undefined ? {} : { nearest_mix: nearestMixRecord(shortfall.nearest_mix) }),
  }
}

function evidenceOf(evidence: NonNullable<GenerationRecord['evidence']>): NonNullable<ManifestScenario['evidence']> {
  const { effective_rows, exact, largest_tilt, in_range_share, low_support, converged } = evidence
  return {
    effective_rows: roundStatistic(effective_rows),
    ...(exact === undefined ? {} : { exact }),
    largest_tilt: roundStatistic(largest_tilt),
    ...(in_range_share === undefined ? {} : { in_range_share: roundStatistic(in_range_share) }),
    ...(low_support === undefined ? {} : { low_support }),
    ...(converged === undefined ? {} : { converged }),
  }
}

/** The evidence, and its effect on the standard errors that users of the rows compute. */
function evidenceFields(
  evidence: NonNullable<GenerationRecord['evidence']>,
  measured: Measurement | null,
): Pick<ManifestScenario, 'evidence' | 'standard_error_factor'> {
  const recorded = evidenceOf(evidence)
  if (measured === null || !(evidence.effective_rows > 0)) return { evidence: recorded }
  const { most } = standardErrorFactors(measured.rows, effectiveRange(recorded))
  const isKnown = most !== null && Number.isFinite(most)
  return { evidence: recorded, ...(isKnown && { standard_error_factor: roundRatio(most) }) }
}

/** The partial policy's verdict on fewer rows than requested: nothing, a warning, or exit code 8. */
export function partialVerdict(
  policy: PartialPolicy,
  rows: { requested: number; counted: number },
): 'accept' | 'warn' | 'fail' {
  if (policy.kind !== 'accept_from') return policy.kind
  return rows.counted / rows.requested >= policy.acceptFrom ? 'accept' : policy.otherwise
}
