import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { evaluateGates } from '../../../answers/manifest/review-manifest.ts'
import { fold, paragraph, type Section } from '../../../base/document/block.ts'
import { words } from '../../../base/language/language.ts'
import { gateTable } from '../../tables/gate-table.ts'

/** More passed gates than this are folded. */
const MOST_OPEN = 30

/** The gates and their verdicts, evaluated again from the figures; null when the study has none. */
export function gatesSection({ manifest }: ReadManifest): Section | null {
  const { gates } = evaluateGates(manifest)
  if (gates.length === 0) return null
  const passed = gates.filter(({ gate }) => gate.passed)
  const others = gates.filter(({ gate }) => !gate.passed)
  const { gates: say } = words().tables
  const passedTable = gateTable(say.passed, passed, manifest)
  return {
    id: 'gates',
    title: say.title,
    blocks: [
      paragraph(say.verdict(passed.length, gates.length)),
      gateTable(say.notPassed, others, manifest),
      passed.length > MOST_OPEN ? fold(say.passed, [passedTable], 'long') : passedTable,
    ],
  }
}
