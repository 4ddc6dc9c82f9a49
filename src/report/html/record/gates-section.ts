import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { evaluateGates } from '../../../answers/manifest/review-manifest.ts'
import { countText, plural } from '../../../base/text/amount-text.ts'
import { fold, paragraph, type Section } from '../../document/block.ts'
import { gateTable } from '../../tables/gate-table.ts'

/** More passed gates than this are folded. */
const MOST_OPEN = 30

/** The gates and their verdicts, evaluated again from the figures; null when the study has none. */
export function gatesSection({ manifest }: ReadManifest): Section | null {
  const { gates } = evaluateGates(manifest)
  if (gates.length === 0) return null
  const passed = gates.filter(({ gate }) => gate.passed)
  const others = gates.filter(({ gate }) => !gate.passed)
  const verdict =
    others.length === 0
      ? gates.length === 1
        ? 'The gate passed.'
        : `${gates.length === 2 ? 'Both' : `All ${countText(gates.length)}`} gates passed.`
      : `${countText(passed.length)} of ${plural(gates.length, 'gate')} passed.`
  const title = 'Gates that passed'
  const passedTable = gateTable(title, passed, manifest)
  return {
    id: 'gates',
    title: 'Gates',
    blocks: [
      paragraph(verdict),
      gateTable('Gates that did not pass', others, manifest),
      passed.length > MOST_OPEN ? fold(title, [passedTable], 'long') : passedTable,
    ],
  }
}
