/** What a person has made on the page: scenarios with their levers, and the outcomes that are looked at. */

import type { Asked, AskedOutcome, ExploredColumn, ExploredDataset, PercentageBase } from '../wire/messages.ts'
import { choicesOf, countedIn, type RowChoice } from './counted-in.ts'
import { type Scenario, UNCHANGED } from './scenario.ts'

export interface NamedScenario {
  readonly name: string
  readonly levers: Scenario
}

export interface PageState {
  /** At least one. */
  readonly scenarios: readonly NamedScenario[]
  readonly current: number
  readonly outcomes: readonly AskedOutcome[]
  /** The rows that answers are counted in; none: all. */
  readonly where: readonly RowChoice[]
  /** Null: as the dataset declares. */
  readonly base: PercentageBase | null
  /** The column of segments; empty: none. */
  readonly by: string
}

/** Scenarios of a page. */
export const MOST_SCENARIOS = 20

/** Outcomes of one question. */
export const MOST_OUTCOMES = 12

export const firstState = ({ first }: ExploredDataset): PageState =>
  withAsked({ scenarios: [{ name: 'explored', levers: UNCHANGED }], current: 0, ...NOTHING }, first)

const NOTHING: Omit<PageState, 'scenarios' | 'current'> = { outcomes: [], where: [], base: null, by: '' }

/** Asks what a comparison of the study asks. */
export const withAsked = (state: PageState, { outcomes, where, base, by }: Asked): PageState => ({
  ...state,
  outcomes: outcomes.slice(0, MOST_OUTCOMES),
  where: choicesOf(where),
  base: base ?? null,
  by: by ?? '',
})

/** What is asked of each scenario. */
export const askedOf = ({ outcomes, where, base, by }: PageState, columns: readonly ExploredColumn[]): Asked => ({
  outcomes,
  where: countedIn(where, columns),
  ...(base !== null && { base }),
  ...(by !== '' && { by }),
})

export const currentOf = ({ scenarios, current }: PageState): NamedScenario => scenarios[current] ?? scenarios[0]!

export const withCurrent = (state: PageState, change: Partial<NamedScenario>): PageState => ({
  ...state,
  scenarios: state.scenarios.map((one, i) => (i === state.current ? { ...one, ...change } : one)),
})

/** A copy of the current scenario, or one as the data are. It is current then. */
export function withAnother(state: PageState, levers: Scenario): PageState {
  if (state.scenarios.length >= MOST_SCENARIOS) return state
  const taken = new Set(state.scenarios.map(({ name }) => name))
  const stem = currentOf(state).name.replace(/-\d+$/, '')
  let number = 2
  while (taken.has(`${stem}-${number}`)) number++
  const scenarios = [...state.scenarios, { name: `${stem}-${number}`, levers }]
  return { ...state, scenarios, current: scenarios.length - 1 }
}

export function withoutCurrent(state: PageState): PageState {
  if (state.scenarios.length === 1) return state
  const scenarios = state.scenarios.filter((_one, i) => i !== state.current)
  return { ...state, scenarios, current: Math.min(state.current, scenarios.length - 1) }
}

const isSame = (one: AskedOutcome, other: AskedOutcome): boolean => one.column === other.column && one.of === other.of

export const isAsked = ({ outcomes }: PageState, outcome: AskedOutcome): boolean =>
  outcomes.some((one) => isSame(one, outcome))

/** Asks for an outcome, or no more. */
export const withOutcome = (state: PageState, outcome: AskedOutcome): PageState => ({
  ...state,
  outcomes: isAsked(state, outcome)
    ? state.outcomes.filter((one) => !isSame(one, outcome))
    : [...state.outcomes, outcome],
})
