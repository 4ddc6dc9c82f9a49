import { describeCutTransfers } from './cut-transfers.ts'

/** The number of transfers of each kind: each way to frame and to end several times. */
const TRANSFERS = 30

describeCutTransfers({ downloads: TRANSFERS, uploads: TRANSFERS, bytes: 40_000_000 })
