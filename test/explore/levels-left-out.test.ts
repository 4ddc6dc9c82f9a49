import { expect, it } from 'vitest'
import type { AnySchemaColumn } from '../../src/contract/datasets.ts'
import { levelsLeftOut } from '../../src/explore/explored.ts'

const column = (name: string, count: number): AnySchemaColumn => ({
  name,
  type: 'categorical',
  levels: Array.from({ length: count }, (_, i) => `level ${i}`),
})

it('a question about the shares of many levels is told how many have no figure', () => {
  const schema = [
    column('town', 1_234),
    column('region', 20),
    { name: 'age', type: 'numeric', min: 18, max: 80 } as const,
  ]
  const asked = schema.map(({ name }) => ({
    column: name,
    of: name === 'age' ? ('mean' as const) : ('shares' as const),
  }))
  expect(levelsLeftOut(schema, asked)).toEqual(['Of town the 20 most frequent of 1,234 levels are told.'])
})
