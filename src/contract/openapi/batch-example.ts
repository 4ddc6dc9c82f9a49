import type { GenerationBatch, GenerationBatchRequest } from '../generation-batches.ts'
import { GENERATION_REQUEST, IDS, PROCESSING_GENERATION } from './record-examples.ts'

const { wait_seconds: _none, ...request } = GENERATION_REQUEST

export const GENERATION_BATCH_REQUEST: GenerationBatchRequest = {
  generations: [
    { idempotency_key: 'as-is-2026-05', request: { row_count: request.row_count, seed: 1 } },
    { idempotency_key: 'premium-2026-05', request },
  ],
}

export const GENERATION_BATCH: GenerationBatch = {
  entries: [
    { idempotency_key: 'as-is-2026-05', replayed: true, generation: PROCESSING_GENERATION },
    { idempotency_key: 'premium-2026-05', generation: PROCESSING_GENERATION },
  ],
  request_id: IDS.request,
}
