import { Buffer } from 'node:buffer'
import { dataRecord } from '../../base/data-record.ts'
import type { Conditions } from '../../contract/conditions.ts'
import type { Shortfall } from '../../contract/generations.ts'
import type { NearestMix } from '../../contract/nearest-mix.ts'
import type { Feasibility, RequestedConditions } from '../../engine/scenario/scenario.ts'

/** Largest mix that a record repeats: the conditions of a request may be of 1 MB. */
const MAX_MIX_BYTES = 64 * 1024

/** Why a scenario has fewer rows than wanted, as records say it; null where it has all of them. */
export function shortfallOf({ shortfall, nearest }: Pick<Feasibility, 'shortfall' | 'nearest'>): Shortfall | null {
  if (shortfall === null) return null
  const mix = nearest && { conditions: conditionsOf(nearest.conditions), moved_share: nearest.moved }
  return {
    detail: shortfall.detail,
    binding: shortfall.binding.map(({ column, level, target, seedRows, nearest: mean }) => ({
      column,
      ...(level !== undefined && { level }),
      ...(target !== undefined && { target }),
      ...(seedRows !== undefined && { seed_rows: Math.round(seedRows) }),
      ...(mean !== undefined && { nearest: mean }),
    })),
    ...(mix && isShort(mix) && { nearest_mix: mix }),
  }
}

const isShort = (mix: NearestMix): boolean => Buffer.byteLength(JSON.stringify(mix)) <= MAX_MIX_BYTES

/** Conditions of the engine as a request states them; without ranges, which never change. */
function conditionsOf({ shares, cells = [], means = [] }: RequestedConditions): Conditions {
  const stated = shares.filter(({ levels }) => levels.size > 0)
  const bounded = shares.filter(({ bounds }) => bounds !== undefined && bounds.size > 0)
  return {
    ...(stated.length > 0 && {
      categorical: dataRecord(stated.map(({ column, levels }) => [column, dataRecord(levels)])),
    }),
    ...(bounded.length > 0 && {
      bounds: dataRecord(
        bounded.map(({ column, bounds }) => [
          column,
          dataRecord([...bounds!].map(([level, { min, max }]) => [level, endsOf(min, max, 0, 1)])),
        ]),
      ),
    }),
    ...(cells.length > 0 && {
      cells: cells.map(({ columns, cells: listed }) => ({
        columns: [...columns],
        shares: listed.map(({ levels, share }) => ({ levels: [...levels], share })),
      })),
    }),
    ...(means.length > 0 && {
      means: dataRecord(
        means.map(({ column, min, max }) => [
          column,
          min === max ? min : endsOf(min, max, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
        ]),
      ),
    }),
  }
}

/** Ends that bound nothing are left out, but not both. */
function endsOf(min: number, max: number, lowest: number, highest: number): { min?: number; max?: number } {
  const ends = { ...(min > lowest && { min }), ...(max < highest && { max }) }
  return Object.keys(ends).length > 0 ? ends : { min }
}
