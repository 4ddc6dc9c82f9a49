import { meanTargetText } from '../../../answers/words/mean-target-text.ts'
import { targetShareText } from '../../../answers/words/share-text.ts'
import { countText } from '../../../base/text/amount-text.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import type { ManifestScenario } from '../../../records/manifest/scenarios.ts'
import { html, type Markup } from '../markup.ts'
import { name, scenarioOrder } from '../names.ts'

/** Scenarios on the first screen of a study that compares nothing. */
const MOST_SCENARIOS = 12
/** Conditions of a scenario that are spelled out. */
const MOST_CONDITIONS = 4

/** What was generated: for a study without comparisons. */
export function generatedTable(manifest: Manifest): Markup {
  const ids = scenarioOrder(manifest)
  const left = ids.length - MOST_SCENARIOS
  return html`<div class="scroll" tabindex="0" role="group" aria-label="What was generated"><table>
<caption>What was generated</caption>
<thead><tr><th scope="col">Scenario</th><th scope="col" class="t">Conditions</th><th scope="col">Rows</th><th scope="col">Asked for</th></tr></thead>
<tbody>${ids.slice(0, MOST_SCENARIOS).map((id) => row(id, manifest.scenarios[id]!))}</tbody>
</table></div>
${left > 0 && html`<p class="note">${countText(left)} more scenarios: see <a href="#provenance">Provenance</a>.</p>`}`
}

function row(id: string, { rows, request }: ManifestScenario): Markup {
  const conditions = conditionTexts(request?.conditions ?? {})
  const left = conditions.length - MOST_CONDITIONS
  return html`<tr><th scope="row">${name(id)}</th><td class="t">${conditions.slice(0, MOST_CONDITIONS).map((text, i) => html`${i > 0 && '; '}${name(text)}`)}${left > 0 && `; ${left} more`}${conditions.length === 0 && 'none'}</td><td>${rows.counted === null ? '–' : countText(rows.counted)}</td><td>${countText(rows.requested)}</td></tr>
`
}

type Conditions = NonNullable<NonNullable<ManifestScenario['request']>['conditions']>

/** The conditions of a request, one text for each column. Not escaped. */
export function conditionTexts({
  categorical = {},
  bounds = {},
  cells = [],
  numeric = {},
  means = {},
}: Conditions): string[] {
  const percent = (share: number) => `${Number((share * 100).toFixed(2))} %`
  return [
    ...Object.entries(categorical).map(
      ([column, levels]) =>
        `${column} ${Object.entries(levels)
          .map(([level, share]) => `${level} ${percent(share)}`)
          .join(', ')}`,
    ),
    ...Object.entries(bounds).map(
      ([column, levels]) =>
        `${column} ${Object.entries(levels)
          .map(([level, ends]) => `${level} ${targetShareText(ends)}`)
          .join(', ')}`,
    ),
    ...cells.map(
      ({ columns, shares }) =>
        `${columns.join(' × ')} ${shares.map(({ levels, share }) => `${levels.join(' × ')} ${percent(share)}`).join(', ')}`,
    ),
    ...Object.entries(numeric).map(([column, { min, max }]) => `${column} ${min} to ${max}`),
    ...Object.entries(means).map(([column, mean]) => `mean of ${column} ${meanTargetText(mean)}`),
  ]
}
