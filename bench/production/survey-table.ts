import { PURPOSE, RandomStream } from '../../src/engine/sampling/random.ts'

const REGIONS = ['North', 'South', 'East', 'West', 'Middle', 'Islands']
const TRADES = ['farming', 'building', 'care', 'school', 'trade', 'transport', 'office', 'none']
const HEADER = 'region,trade,age,household,income,rent,satisfaction,children,member,spending'

/** A made-up survey of ten columns that depend on each other, as CSV. The same for the same numbers. */
export function surveyTable(rows: number, variant: number): string {
  const stream = new RandomStream(variant, PURPOSE.testTable)
  const lines = [HEADER]
  for (let row = 0; row < rows; row++) {
    const region = stream.below(REGIONS.length)
    const trade = stream.below(4) === 0 ? region : stream.below(TRADES.length)
    const age = 18 + stream.below(40) + stream.below(30)
    const household = 1 + stream.below(2) + stream.below(4)
    const income = 900 + 30 * age + 200 * trade + stream.below(3_000)
    const rent = Math.round(income * (0.2 + 0.03 * region)) + stream.below(200)
    const children = Math.max(0, household - 1 - stream.below(3))
    const satisfaction = 1 + Math.min(9, Math.floor(income / 1_200) + stream.below(5))
    const member = stream.below(10) < 2 + (age > 45 ? 4 : 0) ? 'yes' : 'no'
    const spending = (income * 0.6 + 150 * children + stream.below(50_000) / 100).toFixed(2)
    lines.push(
      [REGIONS[region], TRADES[trade], age, household, income, rent, satisfaction, children, member, spending].join(
        ',',
      ),
    )
  }
  return `${lines.join('\n')}\n`
}
