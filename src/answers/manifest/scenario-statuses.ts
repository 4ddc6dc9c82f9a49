import type { ScenarioStatus } from '../../records/manifest/scenarios.ts'

interface StatusTraits {
  /** Its result is there, with all rows or fewer. */
  readonly hasRows: boolean
  /** The service, or something on the way to it, said no. */
  readonly isBad: boolean
}

/** What the rest of the house asks of a scenario's status, in the sequence in which summaries name them. */
const STATUSES: { readonly [S in ScenarioStatus]: StatusTraits } = {
  ready: { hasRows: true, isBad: false },
  partial: { hasRows: true, isBad: false },
  failed: { hasRows: false, isBad: true },
  refused: { hasRows: false, isBad: true },
  not_started: { hasRows: false, isBad: false },
  running: { hasRows: false, isBad: false },
  interrupted: { hasRows: false, isBad: false },
}

export const SCENARIO_STATUSES = Object.keys(STATUSES) as readonly ScenarioStatus[]

export const hasRows = (status: ScenarioStatus): boolean => STATUSES[status].hasRows

export const isBadStatus = (status: ScenarioStatus): boolean => STATUSES[status].isBad
