import type { ClaimsWay } from '../settings/settings.ts'
import type { LimitsFacts } from './limits-table.ts'

/** What the guide says of this one service. */
export interface GuideFacts extends LimitsFacts {
  readonly baseUrl: string
  readonly authUrl: string
  readonly version: string
  readonly claims: ClaimsWay
}
