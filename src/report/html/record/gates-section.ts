import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { evaluateGates, type GateReview } from '../../../answers/manifest/review-manifest.ts'
import { expectedText, foundText } from '../../../answers/words/gate-text.ts'
import { countText, plural } from '../../../base/text/amount-text.ts'
import { html, type Markup } from '../markup.ts'
import { name } from '../names.ts'
import type { Section } from '../section.ts'

/** More passed gates than this are folded. */
const MOST_OPEN = 30
const MOST_ROWS = 4000

/** The gates and their verdicts, evaluated again from the figures; null when the study has none. */
export function gatesSection({ manifest }: ReadManifest): Section | null {
  const { gates } = evaluateGates(manifest)
  if (gates.length === 0) return null
  const passed = gates.filter(({ gate }) => gate.passed)
  const others = gates.filter(({ gate }) => !gate.passed)
  const isFolded = passed.length > MOST_OPEN
  const verdict =
    others.length === 0
      ? gates.length === 1
        ? 'The gate passed.'
        : `${gates.length === 2 ? 'Both' : `All ${countText(gates.length)}`} gates passed.`
      : `${countText(passed.length)} of ${plural(gates.length, 'gate')} passed.`
  return {
    id: 'gates',
    title: 'Gates',
    body: html`<p>${verdict}</p>
${others.length > 0 && table(others, 'Gates that did not pass')}${passed.length > 0 && (isFolded ? html`<details class="long"><summary>Gates that passed</summary>${table(passed, null)}</details>` : table(passed, 'Gates that passed'))}`,
  }
}

const table = (
  gates: readonly GateReview[],
  caption: string | null,
): Markup => html`<div class="scroll" tabindex="0" role="group" aria-label="${caption ?? 'Gates that passed'}"><table>
${caption !== null && html`<caption>${caption}</caption>`}
<thead><tr><th scope="col">Of</th><th scope="col" class="t">Gate</th><th scope="col" class="t">Expected</th><th scope="col" class="t">Found</th><th scope="col" class="t">Verdict</th></tr></thead>
<tbody>${gates.slice(0, MOST_ROWS).map(row)}</tbody></table></div>
${gates.length > MOST_ROWS && html`<p class="note">${countText(gates.length - MOST_ROWS)} more stand in <code>manifest.json</code>.</p>`}`

function row({ of, id, gate, recordedPassed, unchecked, counts }: GateReview): Markup {
  const remark = [
    ...(unchecked === null && gate.passed !== recordedPassed ? ['the manifest says otherwise'] : []),
    ...(counts ? [] : ['not selected in this run']),
  ].join(', ')
  return html`<tr><th scope="row">${of !== 'scenario' && `${of} `}${name(id)}</th><td class="t">${name(gate.id)}</td><td class="t">${name(expectedText(gate))}</td><td class="t">${foundText(gate)}</td><td class="t">${verdictOf(gate)}${remark !== '' && ` (${remark})`}</td></tr>
`
}

const verdictOf = ({ passed, level }: GateReview['gate']): Markup =>
  passed ? html`passed` : level === 'fail' ? html`<strong class="bad">failed</strong>` : html`<strong>warning</strong>`
