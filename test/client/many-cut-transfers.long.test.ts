import { describeCutTransfers } from './cut-transfers.ts'

/** The number of transfers of each kind, which takes minutes on two cores. */
const TRANSFERS = 60

describeCutTransfers({ downloads: TRANSFERS, uploads: TRANSFERS, bytes: 40_000_000 })
