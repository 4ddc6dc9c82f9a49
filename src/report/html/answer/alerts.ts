import { evaluateGates } from '../../../answers/manifest/review-manifest.ts'
import { isBadStatus } from '../../../answers/manifest/scenario-statuses.ts'
import { expectedParts, foundText } from '../../../answers/words/gate-text.ts'
import { nearestMixLines, nearestMixWords } from '../../../answers/words/nearest-mix-text.ts'
import { notComparedTexts } from '../../../answers/words/not-compared-text.ts'
import { brokenRulesText } from '../../../answers/words/rule-text.ts'
import { trialText } from '../../../answers/words/trial-text.ts'
import type { Alert, Block } from '../../../base/document/block.ts'
import { code, joined, lines, name, nameList, strong, type Text, text } from '../../../base/document/text.ts'
import { type Words, words } from '../../../base/language/language.ts'
import { moreText } from '../../../base/text/amount-text.ts'
import { cutText } from '../../../base/text/fit-text.ts'
import type { GateResult } from '../../../records/manifest/gates.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import type { ManifestScenario } from '../../../records/manifest/scenarios.ts'
import { scenarioOrder } from '../../scenario-names.ts'
import { statusText } from '../../status-text.ts'

/** Scenarios that a line names. */
const MOST_NAMES = 4
/** Gates, and reasons of failures, that have a line. */
const MOST_LINES = 4
const MOST_REASON = 240
const MOST_MIX = 500

/** What a reader must know before the figures: an incomplete run, scenarios without rows, failed gates. */
export function alerts(manifest: Manifest): Block {
  const trial = trialText(manifest)
  const items = [
    ...(trial === null ? [] : [warn(strong(words().alerts.trial(trial)))]),
    ...(manifest.status === 'complete'
      ? []
      : [
          severe(
            text`${strong(words().alerts.incomplete)}${words().alerts.resultsMayChange(statusText(manifest.status))}`,
          ),
        ]),
    ...failures(manifest),
    ...shortfalls(manifest),
    ...nearestMixes(manifest),
    ...brokenRuleLines(manifest),
    ...failedGates(manifest),
    ...notCompared(manifest),
    ...thinEvidenceLines(manifest),
  ]
  return items.length > 0 && { kind: 'alerts', items }
}

const severe = (text: Text): Alert => ({ tone: 'bad', text })
const warn = (text: Text): Alert => ({ tone: 'warn', text })

/** Scenarios that share status and reason share a line. */
function failures(manifest: Manifest): Alert[] {
  const groups = new Map<string, { status: UnfinishedStatus; reason: string; ids: string[] }>()
  for (const [id, { status, error }] of scenariosOf(manifest)) {
    // Nothing is said where the rows are there.
    if (status === 'ready' || status === 'partial') continue
    const reason = error === undefined ? '' : cutText(error.detail, MOST_REASON)
    const key = JSON.stringify([status, reason])
    const group = groups.get(key) ?? { status, reason, ids: [] }
    group.ids.push(id)
    groups.set(key, group)
  }
  const all = [...groups.values()]
  const shown = all.slice(0, MOST_LINES).map(({ status, reason, ids }) => {
    const { ended, list } = words().alerts
    return (isBadStatus(status) ? severe : warn)([
      list<Text>(strong(ended[status](ids.length)), nameList(ids, MOST_NAMES)),
      reason !== '' && [' ', lines(reason)],
    ])
  })
  return [...shown, ...more(all.length - MOST_LINES, 'reasons')]
}

type UnfinishedStatus = keyof Words['alerts']['ended']

function shortfalls(manifest: Manifest): Alert[] {
  const partial = scenariosOf(manifest).filter(([, { status }]) => status === 'partial')
  if (partial.length === 0) return []
  const named = partial
    .slice(0, MOST_NAMES)
    .map(([id, { rows }]) => text`${name(id)} ${words().alerts.ofRows(rows.counted ?? 0, rows.requested)}`)
  const left = partial.length - named.length
  const { fewerRows, list } = words().alerts
  return [warn(list<Text>(strong(fewerRows(partial.length)), [joined(named, words().figures.comma), moreText(left)]))]
}

/** What would have all rows, as a study has it. */
function nearestMixes(manifest: Manifest): Alert[] {
  const known = scenariosOf(manifest).flatMap(([id, { shortfall }]) =>
    shortfall?.nearest_mix === undefined ? [] : [{ id, mix: shortfall.nearest_mix }],
  )
  const shown = known
    .slice(0, MOST_LINES)
    .map(({ id, mix }) =>
      warn(text`${name(id)}: ${nearestMixWords(mix)} ${code(cutText(nearestMixLines(mix).join('; '), MOST_MIX))}`),
    )
  const left = known.length - MOST_LINES
  return [...shown, ...(left > 0 ? [warn(words().alerts.moreMixes(left))] : [])]
}

/** Rows that break a rule of the study, although the service says that they keep it. */
function brokenRuleLines(manifest: Manifest): Alert[] {
  const broken = scenariosOf(manifest).filter(([, scenario]) => brokenRulesText(scenario) !== '')
  return [
    ...broken
      .slice(0, MOST_LINES)
      .map(([id, own]) =>
        severe(
          words().alerts.rulesBrokenIn<Text>(strong(words().alerts.rulesBroken), name(id), name(brokenRulesText(own))),
        ),
      ),
    ...more(broken.length - MOST_LINES, 'scenarios'),
  ]
}

function failedGates(manifest: Manifest): Alert[] {
  const { gates } = evaluateGates(manifest)
  const isTrial = manifest.run.trial !== undefined
  const { alerts: say } = words()
  const counting = gates.filter(({ gate, counts }) => counts && !gate.passed)
  const line = (id: string, gate: GateResult) =>
    (isTrial ? warn : severe)(
      say.gate<Text>(
        strong(isTrial ? say.gateFailedInTrial : say.gateFailed),
        ...([name(id), name(gate.id), nameList(expectedParts(gate))] as const),
        foundText(gate),
      ),
    )
  const failed = counting.filter(({ gate }) => gate.level === 'fail')
  const warned = counting.length - failed.length
  return [
    ...failed.slice(0, MOST_LINES).map(({ id, gate }) => line(id, gate)),
    ...more(failed.length - MOST_LINES, 'gates'),
    ...(warned > 0 ? [warn(strong(say.warnings(warned)))] : []),
  ]
}

function notCompared({ comparisons }: Manifest): Alert[] {
  const names = [...new Set(Object.values(comparisons).flatMap(notComparedTexts))]
  if (names.length === 0) return []
  return [
    severe(words().alerts.list<Text>(strong(words().alerts.notInData(names.length)), nameList(names, MOST_NAMES))),
  ]
}

function thinEvidenceLines(manifest: Manifest): Alert[] {
  const thin = scenariosOf(manifest).flatMap(([id, { evidence }]) => (evidence?.low_support === true ? [id] : []))
  if (thin.length === 0) return []
  const { thinEvidence, thinSupport } = words().alerts
  return [warn(thinSupport<Text>(strong(thinEvidence), nameList(thin, MOST_NAMES)))]
}

const more = (left: number, what: keyof Words['alerts']['more']): Alert[] =>
  left > 0 ? [warn(words().alerts.more[what](left))] : []

const scenariosOf = (manifest: Manifest): [string, ManifestScenario][] =>
  scenarioOrder(manifest).map((id) => [id, manifest.scenarios[id]!])
