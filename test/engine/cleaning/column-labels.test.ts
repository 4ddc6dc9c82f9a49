import { describe, expect, it } from 'vitest'
import type { RawColumn } from '../../../src/base/raw-table.ts'
import { cleanTable } from '../../../src/engine/clean.ts'
import { withLabels } from '../../../src/engine/cleaning/column-labels.ts'
import type { SchemaEntry } from '../../../src/engine/cleaning/schema-entry.ts'
import { numbers, rows, table, texts } from './raw-columns.ts'

const N = 400
const amounts = (name: string, label?: string): RawColumn => ({
  ...numbers(
    name,
    rows(N, (i) => (i % 97) / 2),
  ),
  label,
})
const answers = (name: string, label?: string): RawColumn => ({
  ...texts(
    name,
    rows(N, (i) => ['Yes', 'No', 'Maybe'][i % 3]!),
  ),
  label,
})
const several = (name: string, label?: string): RawColumn => ({
  ...texts(
    name,
    rows(N, (i) => ['Milk', 'Sugar', 'Milk; Sugar', 'Honey', 'Honey; Milk', 'Honey; Sugar'][i % 6]!),
  ),
  label,
})

const labelsOf = (...columns: RawColumn[]) => {
  const { schema } = cleanTable(table(...columns), { autoClean: true })
  return Object.fromEntries(schema.map(({ name, label }) => [name, label]))
}

describe('the label of a column in the file', () => {
  it('becomes the label of the cleaned column, whatever its name', () => {
    expect(labelsOf(amounts('my_spend', 'Spend per month'), answers('q 1', 'Do you agree?'), answers('q2'))).toEqual({
      'my.spend': 'Spend per month',
      'q.1': 'Do you agree?',
      q2: undefined,
    })
  })

  it('becomes the label of each option of a question with several answers', () => {
    expect(labelsOf(several('with', 'What do you take?'), amounts('x'))).toEqual({
      'with.Honey': 'What do you take?',
      'with.Milk': 'What do you take?',
      'with.Sugar': 'What do you take?',
      x: undefined,
    })
  })

  it('is one line of at most 1 KiB', () => {
    expect(labelsOf(amounts('x', `Spend\n${'y'.repeat(2_000_000)}`)).x).toBe(`Spend ${'y'.repeat(1_015)}…`)
  })

  it('is absent where it only repeats the header', () => {
    expect(cleanTable(table(amounts('x', ' x ')), { autoClean: true }).schema[0]).not.toHaveProperty('label')
  })

  it('is optional: a schema without labels has no label fields', () => {
    const { schema, report } = cleanTable(table(amounts('x'), answers('q')), { autoClean: true })
    expect(schema.every((entry) => !('label' in entry))).toBe(true)
    expect(report.notes).toEqual([])
  })
})

describe('labels that do not fit into the schema', () => {
  const schema = ['a', 'b', 'c'].map(
    (name): SchemaEntry => ({
      name,
      type: 'numeric',
      min: 0,
      max: 1,
      integer: false,
      format: null,
      sourceName: name,
      missingShare: 0,
    }),
  )
  const bytes = schema.reduce((sum, entry) => sum + JSON.stringify(entry).length + 3, 0)

  it('are left out with a note that counts them, and all columns stay', () => {
    const sources = [amounts('a', 'x'.repeat(50)), amounts('b', 'y'.repeat(200)), amounts('c', 'z')]
    const labelled = withLabels(schema, sources, bytes + 100)
    expect(labelled.schema.map(({ name, label }) => [name, label])).toEqual([
      ['a', 'x'.repeat(50)],
      ['b', undefined],
      ['c', 'z'],
    ])
    expect(labelled.notes).toEqual([expect.stringMatching(/^The label of 1 column was left out, because/)])
    const size = labelled.schema.reduce((sum, entry) => sum + JSON.stringify(entry).length + 3, 0)
    expect(size).toBeLessThanOrEqual(bytes + 100)
  })
})
