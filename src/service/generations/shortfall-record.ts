import type { Shortfall } from '../../contract/generations.ts'
import type { Feasibility } from '../../engine/scenario/scenario.ts'

/** Why a scenario has fewer rows than wanted, as records say it; null where it has all of them. */
export function shortfallOf({ shortfall }: Pick<Feasibility, 'shortfall'>): Shortfall | null {
  if (shortfall === null) return null
  return {
    detail: shortfall.detail,
    binding: shortfall.binding.map(({ column, level, target, seedRows, nearest }) => ({
      column,
      ...(level !== undefined && { level }),
      ...(target !== undefined && { target }),
      ...(seedRows !== undefined && { seed_rows: Math.round(seedRows) }),
      ...(nearest !== undefined && { nearest }),
    })),
  }
}
