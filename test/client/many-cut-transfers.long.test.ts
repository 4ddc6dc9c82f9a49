import { describeCutTransfers } from './cut-transfers.ts'

/** Of each kind; minutes on two cores. */
const TRANSFERS = 300

describeCutTransfers({ downloads: TRANSFERS, uploads: TRANSFERS, bytes: 40_000_000 })
