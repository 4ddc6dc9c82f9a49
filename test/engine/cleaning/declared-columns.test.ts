import { describe, expect, it } from 'vitest'
import type { RawColumn } from '../../../src/base/raw-table.ts'
import { cleanTable } from '../../../src/engine/clean.ts'
import { findScale } from '../../../src/engine/scales/find-scale.ts'
import { uniforms } from './answers.ts'
import { numbers, texts } from './raw-columns.ts'

const ROWS = 90
const repeat = <T>(values: readonly T[]): T[] => Array.from({ length: ROWS }, (_, row) => values[row % values.length]!)

function schemaOf(...columns: RawColumn[]) {
  const droppedRows = { empty: 0, repeatedHeader: 0 }
  const { schema } = cleanTable(
    { rowCount: ROWS, sampleRows: ROWS, columns, droppedRows, notes: [] },
    { autoClean: true },
  )
  return schema
}

describe('a declared column', () => {
  it('has the declared order, with other levels apart', () => {
    const column = texts('flavour', repeat(['sour', 'sweet', 'bitter', 'other']))
    expect(schemaOf(column)[0]).toMatchObject({ ordered: null })
    const declaredOrder = ['sweet', 'umami', 'sour', 'bitter']
    expect(schemaOf({ ...column, declaredOrder })[0]).toMatchObject({
      ordered: { from: 'declared', levels: ['sweet', 'sour', 'bitter'], apart: ['other'] },
    })
  })

  it('is numeric when it is declared numeric, though its numbers look like codes', () => {
    const column = numbers('children', repeat([0, 1, 2, 3]))
    expect(schemaOf(column)[0]).toMatchObject({ type: 'categorical' })
    expect(schemaOf({ ...column, declaredType: 'numeric' })[0]).toMatchObject({ type: 'numeric', integer: true })
  })

  it('is not split when it is declared categorical, though its answers look like lists', () => {
    const next = uniforms(7)
    const ticked = Array.from({ length: ROWS }, () => ['Tea', 'Coffee', 'Milk'].filter(() => next() < 0.5).join(', '))
    const column = texts(
      'drinks',
      ticked.map((cell) => cell || null),
    )
    expect(schemaOf(column)).toHaveLength(3)
    expect(schemaOf({ ...column, declaredType: 'categorical' })).toHaveLength(1)
  })
})

describe('a declared order of levels', () => {
  it('takes precedence over the words of a scale', () => {
    const levels = ['never', 'sometimes', 'always']
    const { source, values } = findScale(levels, false, ['always', 'sometimes', 'never'])!
    expect([source, [...values]]).toEqual(['declared', [2, 1, 0]])
  })

  it('is ignored when it names other levels', () => {
    expect(findScale(['never', 'sometimes', 'always'], false, ['a', 'b'])?.source).toBe('words')
  })
})
