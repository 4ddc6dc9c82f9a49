import type { InspectedDataset } from '../../runner/datasets/inspect-dataset.ts'

/** What is known of a dataset, for a document. */
export function inspectedData({ dataset, schema, declared = [] }: InspectedDataset): object {
  const { request_id: _ofThisRequest, ...rest } = dataset
  return { ...rest, schema, ...(declared.length > 0 && { declared }) }
}
