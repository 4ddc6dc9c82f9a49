import { beforeAll, expect, it } from 'vitest'
import { levelDesignEffects, meanDesignEffect } from '../../../src/engine/estimates/design-effect.ts'
import type { Model, Tree } from '../../../src/engine/model/model.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { categorical, tableOf } from '../survey-table.ts'

let model: Model
/** `copy` follows from `cause`, `free` from nothing. */
const treeOf = (name: string): Tree =>
  model.base.trees.find(({ target }) => model.columns[target]!.name === name) as Tree

beforeAll(async () => {
  const rows = Array.from({ length: 1_000 }, (_, i) => i)
  const cause = rows.map((i) => (i % 3 === 0 ? 'a' : 'b'))
  const table = tableOf([
    categorical('cause', cause),
    categorical('copy', cause),
    categorical(
      'free',
      rows.map((i) => (i % 2 === 0 ? 'c' : 'd')),
    ),
  ])
  model = await trainModel(table, { threads: 1 })
})

it('the design effect is one step above 0 for a column that its tree does not split, and 1 for one that it decides', () => {
  expect([...levelDesignEffects(treeOf('free'), 2)]).toEqual([0.05, 0.05])
  expect([...levelDesignEffects(treeOf('copy'), 2)]).toEqual([1, 1])
})

it('the design effect of a level’s share equals that of the mean of its indicator', () => {
  for (const name of ['copy', 'free']) {
    const share = levelDesignEffects(treeOf(name), 2)[1]!
    expect(meanDesignEffect(treeOf(name), Float64Array.of(0, 1), 0)).toBe(share)
  }
})

it('the design effect is 1 where no tree is known, or its codes are not those of the column', () => {
  expect([...levelDesignEffects(null, 2)]).toEqual([1, 1])
  const coded = { ...treeOf('free'), relation: 0 }
  expect([...levelDesignEffects(coded, 2)]).toEqual([1, 1])
  expect(meanDesignEffect(coded, Float64Array.of(0, 1), 0)).toBe(1)
})
