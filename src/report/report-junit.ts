import {
  evaluateGates,
  type GateReview,
  isBelowPolicy,
  type ManifestReview,
  wasSelected,
} from '../answers/manifest/review-manifest.ts'
import {
  type Answer,
  answersByScenario,
  answerWords,
  comparisonAnswers,
  markTexts,
} from '../answers/words/answer-text.ts'
import { basisText } from '../answers/words/difference-text.ts'
import { expectedText, foundText } from '../answers/words/gate-text.ts'
import { numberWord } from '../answers/words/quantile-text.ts'
import { trialText } from '../answers/words/trial-text.ts'
import type { Manifest } from '../records/manifest/manifest.ts'
import type { ManifestScenario } from '../records/manifest/scenarios.ts'
import { xmlText } from './xml-text.ts'

/** The beginning of a report, which identifies it. */
export const JUNIT_MARK = '<?xml version="1.0" encoding="UTF-8"?>\n<!-- whatif report'

/** `failure`: the verdict is negative; `error`: there is no verdict. */
interface TestCase {
  readonly className: string
  readonly name: string
  readonly result: 'passed' | 'failure' | 'error' | 'skipped'
  readonly type: string
  readonly message: string
  /** Milliseconds. */
  readonly tookMs?: number
}

/** Outcomes that the cases of scenarios and gates already report. */
const REPORTED_BY_CASES: ReadonlySet<string> = new Set(['ok', 'partial_below_policy', 'gates_failed'])

interface Suite {
  readonly name: string
  readonly cases: readonly TestCase[]
  /** Milliseconds. */
  readonly tookMs?: number
}

/** What all suites of a report share; null for a run without a manifest. */
type Run = Pick<ReportedManifest, 'manifest' | 'digest'> | null

interface ReportedManifest {
  readonly manifest: Manifest
  readonly digest: string | null
}

/**
 * A manifest as JUnit XML, the format that CI systems show: a test case per scenario (did it deliver the request), per
 * gate, and per scenario of a comparison, which holds its differences. Gates at warn level do not fail; their findings
 * are in `system-out`. In a trial no gate fails, because none counts. A run that failed for another reason (it was
 * refused, for instance) has a case of its own, with `message` if there is one. Times are those of the manifest: the
 * same manifest gives the same bytes.
 */
export function reportJunit({ manifest, digest }: ReportedManifest, message: string | null = null): string {
  const review = evaluateGates(manifest)
  const { study, outcome } = manifest
  const suites: Suite[] = [
    {
      name: 'scenarios',
      cases: Object.entries(manifest.scenarios).map(([id, s]) => scenarioCase(id, s, manifest, review)),
      tookMs: runTook(manifest),
    },
    { name: 'gates', cases: review.gates.map((gate) => gateCase(gate, manifest)) },
    { name: 'comparisons', cases: comparisonCases(manifest) },
  ].filter(({ cases }) => cases.length > 0)
  const isBlamed = suites.some(({ cases }) => cases.some(({ result }) => result === 'failure' || result === 'error'))
  if (outcome !== null && outcome.exit_code !== 0 && !isBlamed && !REPORTED_BY_CASES.has(outcome.reason))
    suites.push(runSuite(study.name, { type: outcome.reason, message: message ?? outcome.reason.replaceAll('_', ' ') }))
  return junitXml(study.name, suites, { manifest, digest })
}

/** The same for a run without any manifest: one case, with status error. */
export function faultJunit(name: string, fault: { readonly type: string; readonly message: string }): string {
  return junitXml(name, [runSuite(name, fault)], null)
}

function runSuite(study: string, fault: { readonly type: string; readonly message: string }): Suite {
  return { name: 'run', cases: [{ className: study, name: 'run', result: 'error', ...fault }] }
}

function junitXml(name: string, suites: readonly Suite[], run: Run): string {
  const digest = run?.digest ?? null
  const startedAt = run === null ? Number.NaN : Date.parse(run.manifest.run.started_at)
  const began = Number.isNaN(startedAt) ? '' : ` timestamp="${new Date(startedAt).toISOString()}"`
  const tookMs = run === null ? 0 : runTook(run.manifest)
  const properties = propertyLines([
    ['manifest_digest', digest],
    ['trial', run === null ? null : trialText(run.manifest)],
  ])
  return [
    `${JUNIT_MARK}, version 1 -->`,
    `<testsuites name="${xmlText(name)}"${counts(suites.flatMap(({ cases }) => cases))}${seconds(tookMs)}>`,
    ...suites.flatMap((suite) => [
      `  <testsuite name="${xmlText(suite.name)}"${counts(suite.cases)}${seconds(suite.tookMs)}${began}>`,
      ...properties,
      ...suite.cases.flatMap(caseLines),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function scenarioCase(id: string, scenario: ManifestScenario, manifest: Manifest, review: ManifestReview): TestCase {
  const { status, error, rows } = scenario
  const base = {
    className: `${manifest.study.name}.scenarios`,
    name: id,
    type: error?.code ?? status,
    tookMs: scenarioTook(id, manifest),
  }
  const message = error?.detail ?? status.replace('_', ' ')
  if (!wasSelected(manifest, id)) return { ...base, result: 'skipped', message: 'not selected' }
  switch (status) {
    case 'ready':
      return { ...base, result: 'passed', message: '' }
    case 'partial': {
      const partial = review.partial.find(({ scenario }) => scenario === id)
      const result = partial !== undefined && isBelowPolicy(partial, manifest) ? 'failure' : 'passed'
      return { ...base, result, message: `${rows.counted ?? 0} of ${rows.requested} rows` }
    }
    case 'not_started':
      return { ...base, result: 'skipped', message }
    case 'failed':
    case 'refused':
    case 'running':
    case 'interrupted':
      return { ...base, result: 'error', message }
  }
}

/** Actions of scenarios for which the run made nothing. */
const IDLE_ACTIONS: ReadonlySet<string> = new Set([
  'reused',
  'copied',
  'downloaded',
  'not_selected',
  'not_started',
  'none',
])

/**
 * The time from the request to its end at the service, as far as it belongs to this run. A request that has not ended
 * took the rest of the run.
 */
function scenarioTook(id: string, { run, trace }: Manifest): number {
  const action = run.actions[id]
  if (action === undefined || IDLE_ACTIONS.has(action)) return 0
  const { submitted_at = null, completed_at = null } = trace.scenarios[id] ?? {}
  if (submitted_at === null) return 0
  const submittedInRun = Math.max(Date.parse(submitted_at), Date.parse(run.started_at))
  return between(submittedInRun, Date.parse(completed_at ?? run.finished_at ?? ''))
}

const runTook = ({ run }: Manifest): number => between(Date.parse(run.started_at), Date.parse(run.finished_at ?? ''))

/** Milliseconds; 0 when one time is unknown, or a clock was set back. */
const between = (from: number, to: number): number => Math.max(0, to - from) || 0

const seconds = (ms = 0): string => ` time="${(ms / 1000).toFixed(3)}"`

function gateCase({ of, id, gate, counts }: GateReview, { study, run }: Manifest): TestCase {
  const found = gate.passed ? '' : `expected ${expectedText(gate)}, found ${foundText(gate)}`
  const base = {
    className: `${study.name}.gates.${of === 'scenario' ? '' : `${of} `}${id}`,
    name: gate.level === 'warn' ? `${gate.id} (warn)` : gate.id,
    type: gate.level,
  }
  if (!counts) return { ...base, result: 'skipped', message: 'not selected' }
  if (gate.passed || gate.level === 'warn') return { ...base, result: 'passed', message: found }
  return run.trial === undefined
    ? { ...base, result: 'failure', message: found }
    : { ...base, result: 'skipped', message: `gates do not count in a trial: ${found}` }
}

/**
 * The differences and their uncertainty. A difference is neither right nor wrong by itself; only gates give a verdict.
 */
function comparisonCases(manifest: Manifest): TestCase[] {
  const { comparisons, study } = manifest
  return comparisonAnswers(manifest).flatMap(({ id, answers, whereNote }) => {
    const own = answersByScenario(answers)
    return Object.entries(comparisons[id]!.scenarios).map(([scenario, result]): TestCase => {
      const base = { className: `${study.name}.comparisons.${id}`, name: scenario, type: result.status }
      if (result.status === 'missing') return { ...base, result: 'skipped', message: 'no result' }
      const basis = basisText(result)
      const lines = (own.get(scenario) ?? []).map(differenceLine)
      return {
        ...base,
        result: 'passed',
        message: [
          ...(whereNote === null ? [] : [whereNote]),
          ...lines,
          ...(basis === '' ? [] : [`rests on: ${basis}`]),
        ].join('; '),
      }
    })
  })
}

function differenceLine(answer: Answer): string {
  const { column, level, quantile } = answer
  const { difference, interval } = answerWords(answer)
  const what = level === null ? `${numberWord(quantile)} of ${column}` : `${column} ${level}`
  const parts = [difference, ...(interval === '' ? [] : [`95 % interval ${interval}`]), ...markTexts(answer)]
  return `${what}: ${parts.join(', ')}`
}

/** Properties with null are left out. */
function propertyLines(properties: readonly (readonly [name: string, value: string | null])[]): string[] {
  const lines = properties.flatMap(([name, value]) =>
    value === null ? [] : [`      <property name="${name}" value="${xmlText(value)}"/>`],
  )
  return lines.length === 0 ? [] : ['    <properties>', ...lines, '    </properties>']
}

function caseLines({ className, name, result, type, message, tookMs }: TestCase): string[] {
  const open = `    <testcase classname="${xmlText(className)}" name="${xmlText(name)}"${seconds(tookMs)}`
  if (result === 'passed' && message === '') return [`${open}/>`]
  const inner =
    result === 'passed'
      ? `<system-out>${xmlText(message)}</system-out>`
      : result === 'skipped'
        ? `<skipped message="${xmlText(message)}"/>`
        : `<${result} type="${xmlText(type)}" message="${xmlText(message)}"/>`
  return [`${open}>`, `      ${inner}`, '    </testcase>']
}

function counts(cases: readonly TestCase[]): string {
  const of = (result: TestCase['result']): number => cases.filter((one) => one.result === result).length
  return ` tests="${cases.length}" failures="${of('failure')}" errors="${of('error')}" skipped="${of('skipped')}"`
}
