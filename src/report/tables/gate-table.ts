import type { GateReview } from '../../answers/manifest/review-manifest.ts'
import { expectedParts, foundText } from '../../answers/words/gate-text.ts'
import { type Table, table, worded } from '../../base/document/block.ts'
import { bad, name, nameList, strong, type Text } from '../../base/document/text.ts'
import { words } from '../../base/language/language.ts'
import { localNumber } from '../../base/language/local-number.ts'
import { countText } from '../../base/text/amount-text.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'

const NONE = '–'
/** Rows of a table on a page. */
const MOST_ROWS = 4000

/** Gates with what they expect, what was found and the verdict. */
export function gateTable(title: string, gates: readonly GateReview[], { scenarios }: Manifest): Table {
  const { gates: say, heads } = words().tables
  return table(
    title,
    [
      ...[say.heads.of, worded(say.heads.gate), worded(say.heads.level), worded(say.heads.expected)],
      ...[worded(say.heads.found), heads.noise, 'n', worded(say.heads.verdict)],
    ],
    gates.map((review) => {
      const { of, id, gate } = review
      return [
        [say.owners[of], name(id)],
        ...[name(gate.id), gate.level, nameList(expectedParts(gate)), gate.actual === null ? NONE : foundText(gate)],
        gate.chance === undefined
          ? NONE
          : `${localNumber((100 * gate.chance).toFixed(1))}${words().figures.units.share}`,
        gate.chance === undefined ? NONE : countText(scenarios[id]?.rows.counted ?? 0),
        verdictText(review),
      ]
    }),
    { most: { rows: MOST_ROWS, others: say.more } },
  )
}

function verdictText({ gate, counts, recordedPassed, unchecked }: GateReview): Text {
  const { passed, level, evaluated } = gate
  const { gates: say } = words().tables
  const remarks = [
    ...(!passed && evaluated === 0 ? [say.nothing] : []),
    ...(unchecked === null && passed !== recordedPassed ? [say.otherwise] : []),
    ...(counts ? [] : [say.notSelected]),
  ]
  const word = passed ? say.ok : level === 'fail' ? bad(say.failed) : strong(say.warning)
  return [word, remarks.length > 0 && ` (${remarks.join(words().figures.comma)})`]
}
