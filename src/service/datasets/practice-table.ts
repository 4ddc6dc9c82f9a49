/**
 * A made-up table as CSV, with the kinds of columns that seeds have: words, many words, quoted text, whole numbers with heaps,
 * amounts, dates, missing values, columns that depend on each other and one that others determine. The same for the same numbers.
 */

import { PURPOSE, RandomStream } from '../../engine/random.ts'

const REGIONS = ['North', 'South', 'East', 'West', 'Middle']
const HEADER = 'number,region,place,answer,visits,age,age group,income,hours,score,since,remark'

/** @param variant Tables of different numbers have different rows. */
export function practiceTable(rows: number, variant: number): string {
  const stream = new RandomStream(variant, PURPOSE.practice)
  const lines = [HEADER]
  for (let row = 0; row < rows; row++) {
    const region = stream.below(REGIONS.length)
    const age = 18 + stream.below(60)
    const visits = stream.below(10) < 7 ? 0 : stream.below(20)
    const cells = [
      100_000 + row,
      REGIONS[region],
      `place ${region + REGIONS.length * stream.below(1 + stream.below(8))}`,
      stream.below(10) === 0 ? '' : stream.below(10) < 3 + region ? 'yes' : 'no',
      visits,
      age,
      age < 30 ? 'young' : age < 60 ? 'grown' : 'old',
      (age * 700 + region * 3_000 + stream.below(2_000_000) / 100).toFixed(2),
      stream.below(2) === 0 ? 40 : stream.below(80),
      (visits * 2.5 + stream.below(100) / 10).toFixed(1),
      `20${10 + stream.below(15)}-0${1 + stream.below(9)}-1${stream.below(10)}`,
      stream.below(20) === 0 ? '"here, there"' : 'plain',
    ]
    lines.push(cells.join(','))
  }
  return `${lines.join('\n')}\n`
}
