import { describe, expect, it } from 'vitest'
import { textWidth } from '../../../src/base/text/text-width.ts'
import { backtestText } from '../../../src/cli/output/backtest-text.ts'
import type { BacktestRecord } from '../../../src/records/backtest.ts'

const prediction = (column: string, level: string, generated?: number) => ({
  ...{ column, level, actual: 0.3, predicted: 0.35, error: 0.05, standard_error: 0.02, unweighted: 0.4 },
  ...{ interval: [0.01, 0.09] as const, support: 'ok' as const, nearer: true, holds: false, beyond_chance: true },
  ...(generated !== undefined && { generated, generated_error: generated - 0.3 }),
})

const record = (predictions: readonly ReturnType<typeof prediction>[]): BacktestRecord => ({
  ...{ dataset: 'panel', by: 'region', on: ['age'] },
  groups: [{ level: 'North', status: 'predicted', rows: 400, predictions: [...predictions] as never }],
  totals: { predictions: 3, nearer: 3, told: 3, held: 0, beyond_chance: 3, relative_error: 0.5 },
})

const SATISFACTION = 'satisfaction.with.working.hours'
const LEVELS = ['Dissatisfied', 'Very dissatisfied', 'Very satisfied', '非常非常满意的回答者']

describe('a backtest in 80 columns', () => {
  it.each([
    ['estimates', undefined],
    ['estimates and a model', 0.34],
  ])('names each figure in full, from %s', (_, generated) => {
    const text = backtestText(record(LEVELS.map((level) => prediction(SATISFACTION, level, generated))), {
      width: 80,
      isAll: true,
    })
    expect(text).not.toContain('…')
    expect(text.split(SATISFACTION)).toHaveLength(2)
    expect(text).toContain(`  ${SATISFACTION}, points\n`)
    for (const level of LEVELS) expect(text).toContain(`    ${level}`)
    for (const line of text.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(80)
  })

  it('has room for dates, too', () => {
    const day = 86_400_000
    const hired = {
      ...{ column: 'hired.on.by.the.present.employer', kind: 'date', actual: 1.6e12, predicted: 1.6e12 + 11 * day },
      ...{ error: 11 * day, standard_error: 9 * day, unweighted: 1.6e12 - 120 * day, interval: [-7 * day, 29 * day] },
      ...{ generated: 1.6e12, generated_error: 0, support: 'ok', nearer: true },
    }
    const text = backtestText(record([hired as never]), { width: 80, isAll: true })
    expect(text).toMatch(/^ {2}hired\.on\.by\.the\.present\.employer, days$/m)
    expect(text).toMatch(/^ {4}mean +2020-09-24 +2020-09-13 +\+11 +-7 to 29 +-120 +0$/m)
    for (const line of text.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(80)
  })

  it('keeps a short figure in its row, and cuts only a name that is wider than the screen', () => {
    const short = backtestText(record([prediction('intent', 'Yes')]), { width: 80, isAll: true })
    expect(short).toMatch(/^ {2}intent Yes +35\.0 % +30\.0 % +\+5\.0 points +1\.0 to 9\.0 +\+10\.0 +\*$/m)
    const long = backtestText(record([prediction('a'.repeat(100), 'Yes')]), { width: 80, isAll: true })
    expect(long).toMatch(/^ {2}a+…a+, points$/m)
  })
})
