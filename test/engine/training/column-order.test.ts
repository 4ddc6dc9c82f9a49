import { describe, expect, it } from 'vitest'
import { encodeColumn } from '../../../src/engine/encoding/encode.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { MAX_PREDICTORS, MAX_WIDE_PREDICTORS, Screening } from '../../../src/engine/scores/screening.ts'
import { trainingData } from '../../../src/engine/scores/training-data.ts'
import { baseOrder, scenarioOrder } from '../../../src/engine/training/column-order.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'

const shape = (kind: 'categorical' | 'numeric', codeCount: number) => ({ kind, codeCount, missing: 0 as const })

describe('orders of columns', () => {
  const columns = [
    shape('numeric', 256),
    shape('categorical', 3),
    shape('categorical', 40),
    shape('numeric', 5),
    shape('categorical', 3),
  ]

  it('start with columns of few codes, ties in the order of the table', () => {
    expect(baseOrder(columns)).toEqual([1, 4, 3, 2, 0])
  })

  it('have numbers of many codes in descending order, and other columns in their usual places', () => {
    const wide = [
      shape('numeric', 129),
      shape('numeric', 256),
      shape('categorical', 200),
      shape('numeric', 128),
      shape('numeric', 180),
      shape('numeric', 256),
      shape('numeric', 40),
    ]
    expect(baseOrder(wide)).toEqual([6, 3, 1, 5, 2, 4, 0])
  })

  it('have columns of a bound where the number of their codes puts them', () => {
    const wide = [300, 200, 400].map((codeCount) => shape('numeric', codeCount))
    expect(baseOrder(wide)).toEqual([2, 0, 1])
    const terms = [
      { column: 1, weight: 1 },
      { column: 2, weight: -1 },
    ]
    const bound = { kind: 'bound', terms, most: 0, strict: false, difference: null } as const
    expect(baseOrder(wide, [bound])).toEqual([1, 0, 2])
    expect(scenarioOrder(wide, [0], [bound])).toEqual([0, 1, 2])
  })

  it('start with the levels of a scenario, then its numbers', () => {
    expect(scenarioOrder(columns, [0, 2, 4])).toEqual([4, 2, 0, 1, 3])
    expect(scenarioOrder(columns, [3, 2])).toEqual([2, 3, 1, 4, 0])
    expect(scenarioOrder(columns, [])).toEqual(baseOrder(columns))
  })
})

describe('the selection of predictors', () => {
  const n = 3000
  const random = new RandomStream(1, PURPOSE.value)
  const target = Array.from({ length: n }, () => random.below(6))
  const noise = Array.from({ length: 30 }, (_, i) =>
    numeric(
      `noise ${i}`,
      target.map(() => random.below(50)),
    ),
  )
  const related = [
    // Weak, but of two levels only: by raw information, the 32 classes of any noise column would come before it.
    categorical(
      'weak',
      target.map((value) => (random.real() < (value < 3 ? 0.6 : 0.4) ? 'yes' : 'no')),
    ),
    numeric(
      'related',
      target.map((value) => (random.real() < 0.5 ? value * 100 + random.below(90) : random.below(600))),
    ),
    categorical(
      'coarse',
      target.map((value) => (value < 3 ? 'low' : 'high')),
    ),
    numeric(
      'gap',
      target.map((value) => (value === 2 ? null : random.below(900))),
    ),
  ]
  const encoded = tableOf([numeric('target', target), ...noise, ...related]).columns.map(encodeColumn)
  const data = trainingData(
    encoded.map((part) => part.column),
    encoded.map((part) => part.codes),
  )
  const predecessors = Array.from({ length: noise.length + related.length }, (_, i) => i + 1)

  it('keeps all candidates up to the limit', () => {
    const few = predecessors.slice(0, MAX_PREDICTORS).reverse()
    expect([...new Screening(data).predictors(0, few, [])]).toEqual(few.reverse())
  })

  it('keeps more candidates for a number with many codes', () => {
    const columns = data.columns.map((column, c) => (c === 0 ? shape('numeric', 129) : column))
    const kept = new Screening({ columns, codes: data.codes }).predictors(0, predecessors, [])
    expect(kept.length).toBe(MAX_WIDE_PREDICTORS)
    for (let r = 0; r < related.length; r++) expect(kept).toContain(1 + noise.length + r)
  })

  it('keeps candidates that inform about the target, including its missing values', () => {
    const kept = new Screening(data).predictors(0, predecessors, [])
    expect(kept.length).toBe(MAX_PREDICTORS)
    for (let r = 0; r < related.length; r++) expect(kept).toContain(1 + noise.length + r)
    expect([...kept]).toEqual([...kept].sort((a, b) => a - b))
  })

  it('keeps the columns that are required', () => {
    const kept = new Screening(data).predictors(0, predecessors, predecessors.slice(0, 18))
    for (const c of predecessors.slice(0, 18)) expect(kept).toContain(c)
  })

  it('does not depend on the sequence of the predecessors', () => {
    expect(new Screening(data).predictors(0, [...predecessors].reverse(), [])).toEqual(
      new Screening(data).predictors(0, predecessors, []),
    )
  })
})
