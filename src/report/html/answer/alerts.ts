import { evaluateGates } from '../../../answers/manifest/review-manifest.ts'
import { isBadStatus } from '../../../answers/manifest/scenario-statuses.ts'
import { expectedText, foundText } from '../../../answers/words/gate-text.ts'
import { notComparedTexts } from '../../../answers/words/not-compared-text.ts'
import { brokenRulesText } from '../../../answers/words/rule-text.ts'
import { trialText } from '../../../answers/words/trial-text.ts'
import { countText, plural } from '../../../base/text/amount-text.ts'
import { cutText } from '../../../base/text/fit-text.ts'
import type { GateResult } from '../../../records/manifest/gates.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import type { ManifestScenario, ScenarioStatus } from '../../../records/manifest/scenarios.ts'
import { html, type Markup } from '../markup.ts'
import { name, nameList, scenarioOrder } from '../names.ts'

/** Scenarios that a line names. */
const MOST_NAMES = 4
/** Gates, and reasons of failures, that have a line. */
const MOST_LINES = 4
const MOST_REASON = 240

/** What a reader must know before the figures: an incomplete run, scenarios without rows, failed gates. */
export function alerts(manifest: Manifest): Markup | null {
  const trial = trialText(manifest)
  const lines = [
    ...(trial === null ? [] : [html`<li class="warn"><strong>This is a ${trial}.</strong></li>`]),
    ...(manifest.status === 'complete'
      ? []
      : [
          html`<li class="bad"><strong>The run is not complete</strong> (${manifest.status}). Its results may change.</li>`,
        ]),
    ...failures(manifest),
    ...shortfalls(manifest),
    ...brokenRuleLines(manifest),
    ...failedGates(manifest),
    ...notCompared(manifest),
    ...thinEvidence(manifest),
  ]
  return lines.length === 0
    ? null
    : html`<ul class="alerts">${lines}</ul>
`
}

/** Null: nothing is said, because the rows are there. */
const STATUS_WORDS: { readonly [S in ScenarioStatus]: string | null } = {
  ready: null,
  partial: null,
  failed: 'failed',
  refused: 'were refused',
  interrupted: 'were interrupted',
  running: 'are still running',
  not_started: 'were not generated',
}

/** Scenarios that share status and reason share a line. */
function failures(manifest: Manifest): Markup[] {
  const groups = new Map<string, { status: ScenarioStatus; words: string; reason: string; ids: string[] }>()
  for (const [id, { status, error }] of scenariosOf(manifest)) {
    const words = STATUS_WORDS[status]
    if (words === null) continue
    const reason = error === undefined ? '' : cutText(error.detail, MOST_REASON)
    const key = JSON.stringify([status, reason])
    const group = groups.get(key) ?? { status, words, reason, ids: [] }
    group.ids.push(id)
    groups.set(key, group)
  }
  const all = [...groups.values()]
  const lines = all.slice(0, MOST_LINES).map(({ status, words: ofMany, reason, ids }) => {
    const words = ids.length === 1 ? ofMany.replace('were', 'was').replace('are', 'is') : ofMany
    return html`<li class="${isBadStatus(status) ? 'bad' : 'warn'}"><strong>${plural(ids.length, 'scenario')} ${words}:</strong> ${nameList(ids, MOST_NAMES)}.${reason !== '' && html` <span dir="auto">${reason}</span>`}</li>`
  })
  return [...lines, ...more(all.length - MOST_LINES, 'reason')]
}

function shortfalls(manifest: Manifest): Markup[] {
  const partial = scenariosOf(manifest).filter(([, { status }]) => status === 'partial')
  if (partial.length === 0) return []
  const named = partial
    .slice(0, MOST_NAMES)
    .map(
      ([id, { rows }], i) =>
        html`${i > 0 && ', '}${name(id)} (${countText(rows.counted ?? 0)} of ${countText(rows.requested)})`,
    )
  const left = partial.length - named.length
  return [
    html`<li class="warn"><strong>${plural(partial.length, 'scenario')} ${partial.length === 1 ? 'has' : 'have'} fewer rows than asked for:</strong> ${named}${left > 0 && ` and ${left} more`}.</li>`,
  ]
}

/** Rows that break a rule of the study, although the service says that they keep it. */
function brokenRuleLines(manifest: Manifest): Markup[] {
  const broken = scenariosOf(manifest).filter(([, scenario]) => brokenRulesText(scenario) !== '')
  return [
    ...broken
      .slice(0, MOST_LINES)
      .map(
        ([id, own]) =>
          html`<li class="bad"><strong>Rules are broken</strong> in ${name(id)}: ${brokenRulesText(own)}.</li>`,
      ),
    ...more(broken.length - MOST_LINES, 'scenario'),
  ]
}

function failedGates(manifest: Manifest): Markup[] {
  const { gates } = evaluateGates(manifest)
  const isTrial = manifest.run.trial !== undefined
  const counting = gates.filter(({ gate, counts }) => counts && !gate.passed)
  const line = (id: string, gate: GateResult) =>
    html`<li class="${isTrial ? 'warn' : 'bad'}"><strong>Gate failed${isTrial && ', which does not count'}:</strong> ${name(id)}, ${name(gate.id)}: expected ${expectedText(gate)}, found ${foundText(gate)}.</li>`
  const failed = counting.filter(({ gate }) => gate.level === 'fail')
  const warned = counting.length - failed.length
  return [
    ...failed.slice(0, MOST_LINES).map(({ id, gate }) => line(id, gate)),
    ...more(failed.length - MOST_LINES, 'failed gate'),
    ...(warned > 0
      ? [
          html`<li class="warn"><strong>${plural(warned, 'gate')} at warning level did not pass.</strong> <a href="#gates">Gates</a></li>`,
        ]
      : []),
  ]
}

function notCompared({ comparisons }: Manifest): Markup[] {
  const names = [...new Set(Object.values(comparisons).flatMap(notComparedTexts))]
  if (names.length === 0) return []
  return [
    html`<li class="bad"><strong>Not compared, because the data do not have ${names.length === 1 ? 'it' : 'them'}:</strong> ${nameList(names, MOST_NAMES)}.</li>`,
  ]
}

function thinEvidence(manifest: Manifest): Markup[] {
  const thin = scenariosOf(manifest).flatMap(([id, { evidence }]) => (evidence?.low_support === true ? [id] : []))
  if (thin.length === 0) return []
  return [
    html`<li class="warn"><strong>Thin evidence:</strong> few rows of the seed support ${nameList(thin, MOST_NAMES)}.</li>`,
  ]
}

const more = (left: number, what: string): Markup[] =>
  left > 0 ? [html`<li class="warn">${plural(left, what)} more: see the tables below.</li>`] : []

const scenariosOf = (manifest: Manifest): [string, ManifestScenario][] =>
  scenarioOrder(manifest).map((id) => [id, manifest.scenarios[id]!])
