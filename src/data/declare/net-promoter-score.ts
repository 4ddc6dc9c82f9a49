import type { RawColumn } from '../../base/raw-table.ts'
import { scoreName } from '../../study/declarations.ts'
import { type Findings, quoted, rowsText } from './declaration-error.ts'
import { levelText, ofNumbers, rowsOf } from './raw-values.ts'

/** Recommendations from 0 to 10: to 6 detract, from 9 promote (Reichheld 2003). */
const DETRACTS_TO = 6
const PROMOTES_FROM = 9
const MOST = 10

/**
 * The column whose mean is the net promoter score: -100 where a row has 0 to 6, 100 where it has 9 or 10, else 0. Null, with a fault,
 * where a value is no whole number from 0 to 10.
 */
export function scoreColumn(column: RawColumn, { remarks, faults, dropped }: Findings): RawColumn | null {
  const { name: of } = column
  const others: number[] = []
  const scores = new Float64Array(rowsOf(column)).fill(Number.NaN)
  let answers = 0
  for (let row = 0; row < scores.length; row++) {
    const text = levelText(column, row)
    if (text === null) continue
    const answer = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN
    if (!(answer <= MOST)) {
      others.push(row)
      continue
    }
    answers++
    scores[row] = answer <= DETRACTS_TO ? -100 : answer >= PROMOTES_FROM ? 100 : 0
  }
  const fault = (found: string, advice: string): null => {
    faults.push({ key: 'nps', column: of, found, advice })
    return null
  }
  if (others.length > 0) {
    const such = dropped.has(of) ? '' : `, such as ${quoted(levelText(column, others[0]!)!)}`
    return fault(
      `a recommendation is a whole number from 0 to 10, and ${rowsText(others, 'value')} are not${such}`,
      'declare values that are no answer under `missing`, or recode the answers',
    )
  }
  if (answers === 0) return fault('no row has a value', 'take it out of `nps`')
  const name = scoreName(of)
  remarks.push({ key: 'nps', text: `The mean of ${quoted(name)} is the net promoter score of ${quoted(of)}.` })
  return ofNumbers({ name, declaredType: 'numeric' }, 'number', scores)
}
