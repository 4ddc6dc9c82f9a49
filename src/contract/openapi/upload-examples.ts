import type { SeedUpload, SeedUploadPart } from '../uploads.ts'
import { IDS, TIMES } from './record-examples.ts'

const UPLOAD_ID = 'upl_3nLr8TzWq5YbKx0CdVf7Pa'

export const UPLOAD_REQUEST = {
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  bytes: 209_715_200,
}

export const SEED_UPLOAD: SeedUpload = {
  upload_id: UPLOAD_ID,
  part_bytes: 8_388_608,
  received_parts: [1, 2, 3],
  expires_at: TIMES.datasetEnd,
  request_id: IDS.request,
}

export const SEED_UPLOAD_PART: SeedUploadPart = { upload_id: UPLOAD_ID, number: 4, request_id: IDS.request }
