import type { GateReview } from '../../answers/manifest/review-manifest.ts'
import { expectedParts, foundText } from '../../answers/words/gate-text.ts'
import { countText } from '../../base/text/amount-text.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import { type Table, table, worded } from '../document/block.ts'
import { bad, name, nameList, strong, type Text } from '../document/text.ts'

const NONE = '–'
/** Rows of a table on a page. */
const MOST_ROWS = 4000

/** Gates with what they expect, what was found and the verdict. */
export const gateTable = (title: string, gates: readonly GateReview[], { scenarios }: Manifest): Table =>
  table(
    title,
    [
      ...['Of', worded('Gate'), worded('Level'), worded('Expected'), worded('Found')],
      ...['Noise of generation', 'n', worded('Verdict')],
    ],
    gates.map((review) => {
      const { of, id, gate } = review
      return [
        [of !== 'scenario' && `${of} `, name(id)],
        ...[name(gate.id), gate.level, nameList(expectedParts(gate)), gate.actual === null ? NONE : foundText(gate)],
        gate.chance === undefined ? NONE : `${(100 * gate.chance).toFixed(1)} points`,
        gate.chance === undefined ? NONE : countText(scenarios[id]?.rows.counted ?? 0),
        verdictText(review),
      ]
    }),
    { most: { rows: MOST_ROWS, others: 'more stand in manifest.json' } },
  )

function verdictText({ gate, counts, recordedPassed, unchecked }: GateReview): Text {
  const { passed, level, evaluated } = gate
  const remarks = [
    ...(!passed && evaluated === 0 ? ['nothing to evaluate'] : []),
    ...(unchecked === null && passed !== recordedPassed ? ['the manifest says otherwise'] : []),
    ...(counts ? [] : ['not selected in this run']),
  ]
  const word = passed ? 'passed' : level === 'fail' ? bad('failed') : strong('warning')
  return [word, remarks.length > 0 && ` (${remarks.join(', ')})`]
}
