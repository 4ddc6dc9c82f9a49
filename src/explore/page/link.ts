/** The state of the page as text of a link's fragment, which browsers send to nobody. */

import type { AskedOutcome, ExploredDataset } from '../wire/messages.ts'
import { type CellTable, cellKey } from './cells.ts'
import type { RowChoice } from './counted-in.ts'
import { canDivide, hasOutcome, naturalOutcome } from './outcomes.ts'
import { MOST_OUTCOMES, MOST_SCENARIOS, type NamedScenario, type PageState, withAsked } from './page-state.ts'
import type { NumberLever, Scenario } from './scenario.ts'

/** `[name, shares, held levels, numbers, cells]`, each as entries: names of columns may be anything. */
type Packed = [
  string,
  [string, [string, number][]][],
  [string, string[]][],
  [string, string, string, string][],
  /** Absent in older links. */
  [string, string, [string, string, number][]][]?,
]

/** A column, where its natural figures are asked for, as older links have it; or what is asked of it. */
type PackedOutcome = string | [string, AskedOutcome['of']]

type PackedRows = [column: string, levels: string[], min: string, max: string]

/** Absent in older links, and where nothing is chosen. */
type PackedMore = [base: PageState['base'], by: string]

export function linkOf({ scenarios, current, outcomes, where, base, by }: PageState): string {
  const packed = scenarios.map(
    ({ name, levers: { shares, locked, numbers, cells } }): Packed => [
      name,
      [...shares].map(([column, held]) => [column, [...held]]),
      [...locked].map(([column, levels]) => [column, [...levels]]),
      [...numbers].map(([column, { min, max, mean }]) => [column, min, max, mean]),
      cells.map(({ columns: [first, second], shares: held }) => [
        first,
        second,
        [...held].map(([key, share]) => [...(JSON.parse(key) as [string, string]), share]),
      ]),
    ],
  )
  const asked = outcomes.map(({ column, of }): PackedOutcome => [column, of])
  const rows = where.map(({ column, levels, min, max }): PackedRows => [column, [...levels], min, max])
  const more: PackedMore[] = base === null && by === '' ? [] : [[base, by]]
  return inBase64(JSON.stringify([packed, current, asked, ...(rows.length + more.length > 0 ? [rows] : []), ...more]))
}

/** Null: the text is no state. What the dataset does not have is left out; without any outcome, those of its own are asked. */
export function stateOf(text: string, dataset: ExploredDataset): PageState | null {
  const { columns } = dataset
  try {
    const [packed, current, outcomes, rows = [], [base, by] = [null, '']] = JSON.parse(fromBase64(text)) as [
      Packed[],
      number,
      PackedOutcome[],
      PackedRows[]?,
      PackedMore?,
    ]
    const known = new Map(columns.map((column) => [column.name, column]))
    const scenarios = packed.slice(0, MOST_SCENARIOS).map((one) => scenarioOf(one, known))
    if (scenarios.length === 0 || !Number.isInteger(current)) return null
    const state: PageState = {
      scenarios,
      current: Math.min(Math.max(0, current), scenarios.length - 1),
      outcomes: outcomes.flatMap((one) => outcomeOf(one, known)).slice(0, MOST_OUTCOMES),
      where: rows.flatMap((one) => rowsOf(one, known)),
      base: base === 'all' || base === 'valid' ? base : null,
      by: canDivide(known.get(by)) ? by : '',
    }
    return state.outcomes.length === 0 && outcomes.length > 0 ? withAsked(state, dataset.first) : state
  } catch {
    return null
  }
}

type Known = ReadonlyMap<string, ExploredDataset['columns'][number]>

function outcomeOf(packed: PackedOutcome, known: Known): AskedOutcome[] {
  const [name, of] = typeof packed === 'string' ? [packed, null] : packed
  const column = known.get(name)
  if (column === undefined) return []
  const outcome = of === null ? naturalOutcome(column) : { column: name, of }
  return hasOutcome(column, outcome.of) ? [outcome] : []
}

function rowsOf([column, levels, min, max]: PackedRows, known: Known): RowChoice[] {
  const of = known.get(column)
  if (of === undefined) return []
  const kept = levels.filter((level) => of.levels?.some(({ name }) => name === level) === true)
  return [{ column, levels: kept, min: String(min), max: String(max) }]
}

function scenarioOf([name, shares, locked, numbers, cells = []]: Packed, known: Known): NamedScenario {
  const hasLevel = (column: string, level: string) =>
    known.get(column)?.levels?.some((one) => one.name === level) === true
  const levers: Scenario = {
    shares: new Map(
      shares.map(([column, held]) => [
        column,
        new Map(held.filter(([level, share]) => hasLevel(column, level) && share >= 0 && share <= 1)),
      ]),
    ),
    locked: new Map(
      locked.map(([column, levels]) => [column, new Set(levels.filter((level) => hasLevel(column, level)))]),
    ),
    numbers: new Map(
      numbers
        .filter(([column]) => known.get(column)?.levels === null)
        .map(([column, min, max, mean]): [string, NumberLever] => [
          column,
          { min: String(min), max: String(max), mean: String(mean) },
        ]),
    ),
    cells: cells
      .filter(([first, second]) => [first, second].every((one) => known.get(one)?.levels != null))
      .map(
        ([first, second, held]): CellTable => ({
          columns: [first, second],
          shares: new Map(
            held
              .filter(([a, b, share]) => hasLevel(first, a) && hasLevel(second, b) && share >= 0 && share <= 1)
              .map(([a, b, share]) => [cellKey([a, b]), share]),
          ),
        }),
      ),
  }
  return { name: String(name).slice(0, 200), levers }
}

function inBase64(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function fromBase64(text: string): string {
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder().decode(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)))
}
