import { describe, expect, it } from 'vitest'
import {
  figureAt,
  figureName,
  figuresIn,
  severalFirst,
  withEachFigure,
} from '../../../src/answers/arithmetic/figures-in.ts'
import { dataRecord } from '../../../src/base/data-record.ts'

const RESULT = {
  shares: { region: dataRecord([['North', 1] as const, ['__proto__', 2] as const]), empty: {} },
  means: { age: 3 },
  quantiles: { spend: { '0.5': 4, '0.9': 5 } },
}

describe('the figures of a result', () => {
  it('are listed by kind, each with its place', () => {
    expect(figuresIn(RESULT)).toEqual([
      { kind: 'shares', column: 'region', level: 'North', quantile: null, value: 1, siblings: 2 },
      { kind: 'shares', column: 'region', level: '__proto__', quantile: null, value: 2, siblings: 2 },
      { kind: 'means', column: 'age', level: null, quantile: null, value: 3, siblings: 1 },
      { kind: 'quantiles', column: 'spend', level: null, quantile: '0.5', value: 4, siblings: 2 },
      { kind: 'quantiles', column: 'spend', level: null, quantile: '0.9', value: 5, siblings: 2 },
    ])
    expect(figuresIn({ shares: {}, means: {} })).toEqual([])
  })

  it('have names, and those of a column that has one can stand last', () => {
    expect(severalFirst(figuresIn(RESULT)).map(figureName)).toEqual([
      'region North',
      'region __proto__',
      'spend quantile 0.5',
      'spend quantile 0.9',
      'age',
    ])
  })

  it('are found in another result at the same place', () => {
    const at = (other: object) => figuresIn(RESULT).map((figure) => figureAt(other, figure))
    expect(at(RESULT)).toEqual([1, 2, 3, 4, 5])
    expect(at({ shares: { region: { North: 6 } }, means: {}, quantiles: { spend: { '0.9': 7 } } })).toEqual([
      6,
      undefined,
      undefined,
      undefined,
      7,
    ])
  })

  it('can each become another, and columns without figures stay', () => {
    const doubled = withEachFigure(RESULT, ({ value }) => 2 * Number(value))
    expect(doubled).toEqual({
      shares: { region: dataRecord([['North', 2] as const, ['__proto__', 4] as const]), empty: {} },
      means: { age: 6 },
      quantiles: { spend: { '0.5': 8, '0.9': 10 } },
    })
    expect(Object.keys(withEachFigure({ shares: {}, means: {} }, () => null))).toEqual(['shares', 'means'])
  })
})
