/** What the levers say, and the conditions that follow from it. */

import type { Conditions, ExploredColumn } from '../wire/messages.ts'
import type { CellTable } from './cells.ts'

export interface Scenario {
  /** By column: the shares that are held, by level. The others keep their proportions in what is left. */
  readonly shares: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** By column: held levels that stay when another one is moved. */
  readonly locked: ReadonlyMap<string, ReadonlySet<string>>
  /** By column: what was typed of a number; empty: the data's own. */
  readonly numbers: ReadonlyMap<string, NumberLever>
  /** Tables that are shown, also those that hold nothing. */
  readonly cells: readonly CellTable[]
}

export interface NumberLever {
  readonly min: string
  readonly max: string
  readonly mean: string
}

export const UNCHANGED: Scenario = { shares: new Map(), locked: new Map(), numbers: new Map(), cells: [] }

const UNMOVED: NumberLever = { min: '', max: '', mean: '' }

export const numberOf = ({ numbers }: Scenario, column: string): NumberLever => numbers.get(column) ?? UNMOVED

const heldOf = ({ shares }: Scenario, column: string): ReadonlyMap<string, number> => shares.get(column) ?? new Map()

const lockedOf = ({ locked }: Scenario, column: string): ReadonlySet<string> => locked.get(column) ?? new Set()

export const isLocked = (scenario: Scenario, column: string, level: string): boolean =>
  lockedOf(scenario, column).has(level)

/** The most that a level can have beside those that are locked. */
export function mostOf(scenario: Scenario, column: string, level: string): number {
  const locked = lockedOf(scenario, column)
  const others = [...heldOf(scenario, column)].filter(([name]) => name !== level && locked.has(name))
  return Math.max(0, rounded(1 - others.reduce((sum, [, share]) => sum + share, 0)))
}

/** The share of a level as the scenario has it; null where the service does not tell what is left to it. */
export function shareOf(scenario: Scenario, { name, levels }: ExploredColumn, level: string): number | null {
  const held = heldOf(scenario, name)
  const own = held.get(level)
  if (own !== undefined) return own
  const natural = levels?.find((one) => one.name === level)?.share ?? null
  if (held.size === 0 || natural === null) return natural
  const isHeld = (one: { readonly name: string }) => held.has(one.name)
  const free = (levels ?? []).filter((one) => !isHeld(one)).reduce((sum, { share }) => sum + (share ?? 0), 0)
  const left = 1 - [...held.values()].reduce((sum, share) => sum + share, 0)
  return free > 0 ? (natural / free) * Math.max(0, left) : null
}

/** A level that is moved takes from those that are not locked; the one that was moved before gives way, too. */
export function withShare(scenario: Scenario, column: string, level: string, share: number): Scenario {
  const locked = lockedOf(scenario, column)
  const kept = [...heldOf(scenario, column)].filter(([name]) => locked.has(name) && name !== level)
  const value = rounded(Math.min(Math.max(0, share), mostOf(scenario, column, level)))
  return { ...scenario, shares: new Map(scenario.shares).set(column, new Map([...kept, [level, value]])) }
}

export function withLock(scenario: Scenario, column: ExploredColumn, level: string): Scenario {
  const locked = new Set(lockedOf(scenario, column.name))
  const held = new Map(heldOf(scenario, column.name))
  if (locked.delete(level)) held.delete(level)
  else {
    const share = shareOf(scenario, column, level)
    if (share === null) return scenario
    locked.add(level)
    held.set(level, rounded(share))
  }
  return {
    ...scenario,
    shares: new Map(scenario.shares).set(column.name, held),
    locked: new Map(scenario.locked).set(column.name, locked),
  }
}

export const withNumber = (scenario: Scenario, column: string, part: Partial<NumberLever>): Scenario => ({
  ...scenario,
  numbers: new Map(scenario.numbers).set(column, { ...numberOf(scenario, column), ...part }),
})

export function withoutColumn(scenario: Scenario, column: string): Scenario {
  const without = <V>(map: ReadonlyMap<string, V>) => new Map([...map].filter(([name]) => name !== column))
  return {
    ...scenario,
    shares: without(scenario.shares),
    locked: without(scenario.locked),
    numbers: without(scenario.numbers),
  }
}

/** The levers as the nearest mix has them: complete for its columns and tables, and no other is moved. */
export function withMix(scenario: Scenario, { categorical = {}, means = {}, cells = [] }: Conditions): Scenario {
  const shares = new Map(scenario.shares)
  for (const [column, levels] of Object.entries(categorical)) shares.set(column, new Map(Object.entries(levels)))
  let levers: Scenario = { ...scenario, shares }
  for (const [column, mean] of Object.entries(means)) {
    if (typeof mean === 'number') levers = withNumber(levers, column, { mean: String(mean) })
  }
  const isOf = (table: CellTable, columns: readonly string[]) =>
    columns.every((column, i) => column === table.columns[i])
  return {
    ...levers,
    cells: levers.cells.map((table) => {
      const mixed = cells.find(({ columns }) => isOf(table, columns))
      if (mixed === undefined) return table
      const held = mixed.shares.map(({ levels, share }) => [JSON.stringify(levels), share] as const)
      return { ...table, shares: new Map(held) }
    }),
  }
}

export function isMoved(scenario: Scenario, column: string): boolean {
  const { min, max, mean } = numberOf(scenario, column)
  return heldOf(scenario, column).size > 0 || min + max + mean !== ''
}

export function conditionsOf(scenario: Scenario, columns: readonly ExploredColumn[]): Conditions {
  const categorical = [...scenario.shares].filter(([, held]) => held.size > 0)
  const numeric: [string, { min: number | string; max: number | string }][] = []
  const means: [string, number][] = []
  for (const { name, min, max, isDate } of columns) {
    const typed = numberOf(scenario, name)
    const bound = (text: string, natural: number | string | null) =>
      text === '' ? natural : isDate ? text : (numberIn(text) ?? natural)
    const [low, high] = [bound(typed.min, min), bound(typed.max, max)]
    if ((typed.min !== '' || typed.max !== '') && low !== null && high !== null)
      numeric.push([name, { min: low, max: high }])
    const mean = typed.mean === '' ? null : numberIn(typed.mean)
    if (mean !== null) means.push([name, mean])
  }
  const cells = scenario.cells
    .filter(({ shares }) => shares.size > 0)
    .map(({ columns: of, shares }) => ({
      columns: [...of],
      shares: [...shares].map(([key, share]) => ({ levels: JSON.parse(key) as string[], share })),
    }))
  return {
    ...(categorical.length > 0 && {
      categorical: Object.fromEntries(categorical.map(([column, held]) => [column, Object.fromEntries(held)])),
    }),
    ...(numeric.length > 0 && { numeric: Object.fromEntries(numeric) }),
    ...(means.length > 0 && { means: Object.fromEntries(means) }),
    ...(cells.length > 0 && { cells }),
  }
}

/** What is no number moves nothing. */
const numberIn = (text: string): number | null => (isNumber(text) ? Number(text) : null)

export const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text))

/** A tenth of a percent is what a slider can mean. */
const rounded = (share: number): number => Number(share.toFixed(4))
