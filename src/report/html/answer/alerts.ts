import { evaluateGates } from '../../../answers/manifest/review-manifest.ts'
import { isBadStatus } from '../../../answers/manifest/scenario-statuses.ts'
import { expectedParts, foundText } from '../../../answers/words/gate-text.ts'
import { nearestMixLines, nearestMixWords } from '../../../answers/words/nearest-mix-text.ts'
import { notComparedTexts } from '../../../answers/words/not-compared-text.ts'
import { brokenRulesText } from '../../../answers/words/rule-text.ts'
import { trialText } from '../../../answers/words/trial-text.ts'
import { countText, moreText, plural } from '../../../base/text/amount-text.ts'
import { cutText } from '../../../base/text/fit-text.ts'
import type { GateResult } from '../../../records/manifest/gates.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import type { ManifestScenario, ScenarioStatus } from '../../../records/manifest/scenarios.ts'
import type { Alert, Block } from '../../document/block.ts'
import { scenarioOrder } from '../../document/names.ts'
import { code, joined, lines, name, nameList, strong, type Text, text } from '../../document/text.ts'

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
    ...(trial === null ? [] : [warn(strong(`This is a ${trial}.`))]),
    ...(manifest.status === 'complete'
      ? []
      : [severe(text`${strong('The run is not complete')} (${manifest.status}). Its results may change.`)]),
    ...failures(manifest),
    ...shortfalls(manifest),
    ...nearestMixes(manifest),
    ...brokenRuleLines(manifest),
    ...failedGates(manifest),
    ...notCompared(manifest),
    ...thinEvidence(manifest),
  ]
  return items.length > 0 && { kind: 'alerts', items }
}

const severe = (text: Text): Alert => ({ tone: 'bad', text })
const warn = (text: Text): Alert => ({ tone: 'warn', text })

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
function failures(manifest: Manifest): Alert[] {
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
  const shown = all.slice(0, MOST_LINES).map(({ status, words: ofMany, reason, ids }) => {
    const words = ids.length === 1 ? ofMany.replace('were', 'was').replace('are', 'is') : ofMany
    return (isBadStatus(status) ? severe : warn)(
      text`${strong(`${plural(ids.length, 'scenario')} ${words}:`)} ${nameList(ids, MOST_NAMES)}.${reason !== '' && [' ', lines(reason)]}`,
    )
  })
  return [...shown, ...more(all.length - MOST_LINES, 'reason')]
}

function shortfalls(manifest: Manifest): Alert[] {
  const partial = scenariosOf(manifest).filter(([, { status }]) => status === 'partial')
  if (partial.length === 0) return []
  const named = partial
    .slice(0, MOST_NAMES)
    .map(([id, { rows }]) => text`${name(id)} (${countText(rows.counted ?? 0)} of ${countText(rows.requested)})`)
  const left = partial.length - named.length
  return [
    warn(
      text`${strong(`${plural(partial.length, 'scenario')} ${partial.length === 1 ? 'has' : 'have'} fewer rows than asked for:`)} ${joined(named, ', ')}${moreText(left)}.`,
    ),
  ]
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
  return [
    ...shown,
    ...(left > 0 ? [warn(`The manifest has ${plural(left, 'more nearest mix', 'more nearest mixes')}.`)] : []),
  ]
}

/** Rows that break a rule of the study, although the service says that they keep it. */
function brokenRuleLines(manifest: Manifest): Alert[] {
  const broken = scenariosOf(manifest).filter(([, scenario]) => brokenRulesText(scenario) !== '')
  return [
    ...broken
      .slice(0, MOST_LINES)
      .map(([id, own]) => severe(text`${strong('Rules are broken')} in ${name(id)}: ${name(brokenRulesText(own))}.`)),
    ...more(broken.length - MOST_LINES, 'scenario'),
  ]
}

function failedGates(manifest: Manifest): Alert[] {
  const { gates } = evaluateGates(manifest)
  const isTrial = manifest.run.trial !== undefined
  const counting = gates.filter(({ gate, counts }) => counts && !gate.passed)
  const line = (id: string, gate: GateResult) =>
    (isTrial ? warn : severe)(
      text`${strong(`Gate failed${isTrial ? ', which does not count' : ''}:`)} ${name(id)}, ${name(gate.id)}: expected ${nameList(expectedParts(gate))}, found ${foundText(gate)}.`,
    )
  const failed = counting.filter(({ gate }) => gate.level === 'fail')
  const warned = counting.length - failed.length
  return [
    ...failed.slice(0, MOST_LINES).map(({ id, gate }) => line(id, gate)),
    ...more(failed.length - MOST_LINES, 'failed gate'),
    ...(warned > 0 ? [warn(strong(`${plural(warned, 'gate')} at warning level did not pass.`))] : []),
  ]
}

function notCompared({ comparisons }: Manifest): Alert[] {
  const names = [...new Set(Object.values(comparisons).flatMap(notComparedTexts))]
  if (names.length === 0) return []
  return [
    severe(
      text`${strong(`Not compared, because the data do not have ${names.length === 1 ? 'it' : 'them'}:`)} ${nameList(names, MOST_NAMES)}.`,
    ),
  ]
}

function thinEvidence(manifest: Manifest): Alert[] {
  const thin = scenariosOf(manifest).flatMap(([id, { evidence }]) => (evidence?.low_support === true ? [id] : []))
  if (thin.length === 0) return []
  return [warn(text`${strong('Thin evidence:')} few rows of the seed support ${nameList(thin, MOST_NAMES)}.`)]
}

const more = (left: number, what: string): Alert[] =>
  left > 0 ? [warn(`${plural(left, what)} more: see the tables below.`)] : []

const scenariosOf = (manifest: Manifest): [string, ManifestScenario][] =>
  scenarioOrder(manifest).map((id) => [id, manifest.scenarios[id]!])
