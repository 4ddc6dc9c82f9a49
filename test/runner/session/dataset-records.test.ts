import { expect, it } from 'vitest'
import { datasetFacts } from '../../../src/runner/session/dataset-records.ts'

it('an order of levels does not change the digest of a schema, which lock files hold', () => {
  const dataset = { dataset_id: 'ds_1', status: 'ready' } as const
  const column = { name: 'visits', type: 'categorical', levels: ['Often', 'Never', 'Sometimes'] } as const
  const ordered = { from: 'words', levels: ['Never', 'Sometimes', 'Often'], apart: [] } as const
  const digestOf = (schema: object) =>
    datasetFacts(dataset, [schema as typeof column & { levels: string[] }]).schemaSha256
  expect(digestOf({ ...column, ordered })).toBe(digestOf(column))
  expect(digestOf({ ...column, levels: ['Often', 'Never'] })).not.toBe(digestOf(column))
})
