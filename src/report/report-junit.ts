import type { Manifest, ManifestScenario } from '../manifest/manifest.ts'
import {
  type GateReview,
  isBelowPolicy,
  isJudged,
  type ManifestReview,
  reviewManifest,
} from '../manifest/review-manifest.ts'
import { escapeText } from '../spec/diagnostics/escape-text.ts'

/** How a report begins, by which it is known as one. */
export const JUNIT_MARK = '<?xml version="1.0" encoding="UTF-8"?>\n<!-- whatif report'

/** `failure`: the answer is no; `error`: there is none. */
interface TestCase {
  readonly className: string
  readonly name: string
  readonly result: 'passed' | 'failure' | 'error' | 'skipped'
  readonly type: string
  readonly message: string
}

/** Told by the cases of scenarios and gates. */
const TOLD_BY_CASES: ReadonlySet<string> = new Set(['ok', 'partial_below_policy', 'gates_failed'])

interface Suite {
  readonly name: string
  readonly cases: readonly TestCase[]
}

/**
 * A manifest as JUnit XML, the form that CI systems show: a test case per scenario (did it come to what was asked for) and
 * per gate. Gates at warn level do not fail; what they found is in `system-out`. A run that ended badly without any of
 * them being to blame (it was refused, say) has a case of its own, with `message` where there is one.
 */
export function reportJunit(
  { manifest, digest }: { readonly manifest: Manifest; readonly digest: string | null },
  message: string | null = null,
): string {
  const review = reviewManifest(manifest)
  const { study, outcome } = manifest
  const suites: Suite[] = [
    {
      name: 'scenarios',
      cases: Object.entries(manifest.scenarios).map(([id, s]) => scenarioCase(id, s, manifest, review)),
    },
    { name: 'gates', cases: review.gates.map((gate) => gateCase(gate, study.name)) },
  ].filter(({ cases }) => cases.length > 0)
  const isBlamed = suites.some(({ cases }) => cases.some(({ result }) => result === 'failure' || result === 'error'))
  if (outcome !== null && outcome.exit_code !== 0 && !isBlamed && !TOLD_BY_CASES.has(outcome.reason))
    suites.push(runSuite(study.name, { type: outcome.reason, message: message ?? outcome.reason.replaceAll('_', ' ') }))
  return junitXml(study.name, suites, digest)
}

/** The same of a run that came to no manifest at all: one case, and it is in error. */
export function faultJunit(name: string, fault: { readonly type: string; readonly message: string }): string {
  return junitXml(name, [runSuite(name, fault)], null)
}

function runSuite(study: string, fault: { readonly type: string; readonly message: string }): Suite {
  return { name: 'run', cases: [{ className: study, name: 'run', result: 'error', ...fault }] }
}

function junitXml(name: string, suites: readonly Suite[], digest: string | null): string {
  return [
    `${JUNIT_MARK}, version 1 -->`,
    `<testsuites name="${xmlText(name)}"${counts(suites.flatMap(({ cases }) => cases))}>`,
    ...suites.flatMap((suite) => [
      `  <testsuite name="${xmlText(suite.name)}"${counts(suite.cases)}>`,
      ...(digest === null
        ? []
        : ['    <properties>', `      <property name="manifest_digest" value="${digest}"/>`, '    </properties>']),
      ...suite.cases.flatMap(caseLines),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function scenarioCase(id: string, scenario: ManifestScenario, manifest: Manifest, review: ManifestReview): TestCase {
  const { status, error, rows } = scenario
  const base = { className: `${manifest.study.name}.scenarios`, name: id, type: error?.code ?? status }
  const message = error?.detail ?? status.replace('_', ' ')
  if (!isJudged(manifest, id)) return { ...base, result: 'skipped', message: 'not selected' }
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

function gateCase({ of, id, gate, counts }: GateReview, study: string): TestCase {
  const expected = Object.entries(gate.expected).map(([key, value]) => `${key} ${value}`)
  const found = gate.actual === null ? 'nothing to evaluate' : String(gate.actual)
  return {
    className: `${study}.gates.${of === 'comparison' ? 'comparison ' : ''}${id}`,
    name: gate.level === 'warn' ? `${gate.id} (warn)` : gate.id,
    result: !counts ? 'skipped' : gate.passed || gate.level === 'warn' ? 'passed' : 'failure',
    type: gate.level,
    message: !counts ? 'not selected' : gate.passed ? '' : `expected ${expected.join(', ')}, found ${found}`,
  }
}

function caseLines({ className, name, result, type, message }: TestCase): string[] {
  const open = `    <testcase classname="${xmlText(className)}" name="${xmlText(name)}"`
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

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/**
 * For content and attributes. XML 1.0 has no form at all for most control characters, lone surrogates and the two
 * noncharacters of the first plane (section 2.2): they are shown as escapes.
 */
function xmlText(text: string): string {
  return escapeText(text)
    .replaceAll(/[\uFFFE\uFFFF]/g, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!)
}
