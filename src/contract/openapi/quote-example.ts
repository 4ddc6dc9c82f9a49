import type { GenerationQuote } from '../quotes.ts'
import { IDS } from './record-examples.ts'

export const GENERATION_QUOTE: GenerationQuote = {
  output_format: 'parquet',
  rows_at_most: 1000,
  bytes_at_most: 753_664,
  accepted: true,
  quota: {
    per_request_rows: 1_000_000,
    rows_left: 237_627,
    bytes_left: 21_471_354_880,
    per_artifact_bytes: 4_294_967_296,
  },
  request_id: IDS.request,
}
