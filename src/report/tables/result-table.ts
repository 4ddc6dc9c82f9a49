import { nearestMixLines, nearestMixWords } from '../../answers/words/nearest-mix-text.ts'
import { percentText } from '../../answers/words/share-text.ts'
import { type Table, table, worded } from '../../base/document/block.ts'
import { code, joined, lines, muted, name, type Text, text } from '../../base/document/text.ts'
import { words } from '../../base/language/language.ts'
import { bytesText, countText } from '../../base/text/amount-text.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { ManifestScenario } from '../../records/manifest/scenarios.ts'
import { scenarioOrder } from '../scenario-names.ts'
import { statusText } from '../status-text.ts'

const NONE = '–'
/** Rows of a table on a page. */
const MOST_ROWS = 4000

/** The scenarios with the rows that they have, and why they have fewer than they asked for. */
export function resultTable(manifest: Manifest): Table {
  const { heads, results } = words().record.provenance
  return table(
    results,
    [
      ...[heads.scenario, worded(heads.status), heads.askedFor, heads.rows, heads.fill, heads.seed],
      ...[worded(heads.file), worded('SHA-256')],
    ],
    scenarioOrder(manifest).map((id) => cellsOf(id, manifest.scenarios[id]!)),
    { most: { rows: MOST_ROWS, others: words().tables.gates.more } },
  )
}

function cellsOf(id: string, scenario: ManifestScenario): Text[] {
  const { status, rows, request, artifact, description } = scenario
  return [
    [name(id), description !== undefined && [' ', muted(lines(description))]],
    [statusText(status), whyText(scenario)],
    ...[countText(rows.requested), rows.counted === null ? NONE : countText(rows.counted)],
    ...[rows.fill === null ? NONE : percentText(rows.fill), request?.seed ?? NONE],
    artifact ? text`${name(artifact.path)}, ${bytesText(artifact.bytes)}` : NONE,
    artifact ? code(artifact.sha256) : NONE,
  ]
}

function whyText({ error, shortfall }: ManifestScenario): Text {
  const mix = shortfall?.nearest_mix
  const why = error ? text`${lines(error.detail)} (${code(error.code)})` : shortfall && lines(shortfall.detail)
  const nearest = mix && [`${nearestMixWords(mix)} `, joined(nearestMixLines(mix).map(code), ' ')]
  return [(why || nearest) && ': ', why, nearest && ' ', nearest]
}
