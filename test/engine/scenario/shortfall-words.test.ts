import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { assessScenario } from '../../../src/engine/generate.ts'
import { namedLevels } from '../../../src/engine/scenario/shortfall-words.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { categorical, tableOf } from '../survey-table.ts'
import { scenario } from './written-scenario.ts'

describe('levels in a sentence', () => {
  it('are named, up to ten, and then counted', () => {
    const levels = Array.from({ length: 1_200 }, (_, i) => `level ${i}`)
    expect(namedLevels(levels.slice(0, 11))).toEqual(levels.slice(0, 11))
    expect(namedLevels(levels)).toEqual([...levels.slice(0, 10), '1,190 more'])
  })

  it('are cut if they are long', () => {
    expect(namedLevels(['é'.repeat(500)])).toEqual([`${'é'.repeat(60)}…`])
  })
})

describe('the reason why a scenario of a hundred long levels is impossible', () => {
  const COUNT = 100
  const level = (i: number) => `${i} `.padEnd(500, 'é')
  const rows = Array.from({ length: COUNT * 10 }, (_, i) => i % COUNT)
  const model = trainModel(
    tableOf([
      categorical(
        'c'.repeat(1_000),
        rows.map((i) => level(i)),
      ),
      categorical(
        'd',
        rows.map((i) => (i < 20 ? 'few' : 'many')),
      ),
    ]),
    { threads: 1 },
  )

  it.each([
    ['where no row is like that', 20, 1],
    ['where too few rows are', 10, 0.99],
  ])('is given in a few sentences, %s', async (_, from, few) => {
    const levels = Array.from({ length: COUNT - from }, (_, i) => [level(i + from), 1 / (COUNT - from)])
    const asked = scenario({ ['c'.repeat(1_000)]: Object.fromEntries(levels), d: { few } })
    const { rows: got, shortfall } = await assessScenario(await model, asked, 10_000, { threads: 1 })
    expect(got).toBeLessThan(10_000)
    expect(shortfall?.detail).toMatch(/(more|é…) \(c{120}…\)/)
    expect(Buffer.byteLength(shortfall?.detail ?? '')).toBeLessThan(4_100)
    expect(shortfall?.binding.length).toBeLessThanOrEqual(51)
  })
})
