import { describeCutTransfers } from './cut-transfers.ts'

describeCutTransfers({ downloads: 60, uploads: 16, bytes: 4_000_000 })
