import { expect, it } from 'vitest'
import { exploredDataset } from '../../src/explore/explored-dataset.ts'
import { loadStudy } from '../../src/study/load/load-study.ts'

const SCHEMA = [
  { name: 'intent', kind: 'categorical', levels: ['Yes', 'No'] },
  { name: 'region', kind: 'categorical', levels: ['North', 'South'] },
  { name: 'town', kind: 'categorical', levels: Array.from({ length: 51 }, (_, i) => `Town ${i}`) },
  { name: 'spend', kind: 'numeric', min: 0, max: 9 },
] as unknown as Parameters<typeof exploredDataset>[3]

const first = (comparisons: string) => explored(comparisons).first

const explored = (comparisons: string) => {
  const text = `version: 1
name: a
datasets: { panel: { file: a.csv } }
defaults: { rows: 10, seed: 1 }
scenarios:
  today: {}
  half: { shares: { intent: { "Yes": 0.5 } } }
  north: { shares: { region: { North: 0.5 } }, ranges: { spend: { min: 1, max: 5 } } }
  south: { shares: { region: { North: 0.4 } } }
comparisons:
${comparisons}`
  const { study } = loadStudy(text, { filename: 'a.study.yaml' })
  return exploredDataset('panel', study!, 10, SCHEMA, 'a.study.yaml')
}

const COMPARED = 'scenarios: [half], against: today, shares: [intent]'

it('a page begins with the segments and the base of the first comparison', () => {
  expect(first(`  - { id: a, ${COMPARED}, by: region, base: valid }`)).toEqual({
    outcomes: [{ column: 'intent', of: 'shares' }],
    where: [],
    by: 'region',
    base: 'valid',
  })
})

it('comparisons of other segments or another base are not asked together', () => {
  const others = [
    `  - { id: b, scenarios: [half], against: today, means: [spend], base: valid }`,
    `  - { id: c, scenarios: [half], against: today, shares: [region], by: intent }`,
    `  - { id: d, scenarios: [half], against: today, shares: [town] }`,
  ]
  expect(first([`  - { id: a, ${COMPARED} }`, ...others].join('\n')).outcomes).toEqual([
    { column: 'intent', of: 'shares' },
    { column: 'town', of: 'shares' },
  ])
})

it('a column of more segments than the page asks for divides nothing', () => {
  expect(first(`  - { id: a, ${COMPARED}, by: town }`).by).toBeUndefined()
})

it('levers that most scenarios move come first', () => {
  const { columns } = explored(`  - { id: a, ${COMPARED} }`)
  expect(columns.map(({ name }) => name)).toEqual(['region', 'intent', 'spend', 'town'])
})
