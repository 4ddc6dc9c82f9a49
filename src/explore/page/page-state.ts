/** What a person has made on the page: scenarios with their levers, and the outcomes that are looked at. */

import type { ExploredDataset } from '../wire/messages.ts'
import { type Scenario, UNCHANGED } from './scenario.ts'

export interface NamedScenario {
  readonly name: string
  readonly levers: Scenario
}

export interface PageState {
  /** At least one. */
  readonly scenarios: readonly NamedScenario[]
  readonly current: number
  readonly outcomes: readonly string[]
}

/** Scenarios of a page. */
export const MOST_SCENARIOS = 20

/** Outcomes of one question. */
export const MOST_OUTCOMES = 12

export const firstState = ({ outcomes }: ExploredDataset): PageState => ({
  scenarios: [{ name: 'explored', levers: UNCHANGED }],
  current: 0,
  outcomes: outcomes.slice(0, MOST_OUTCOMES),
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

export const withOutcome = (state: PageState, name: string): PageState => ({
  ...state,
  outcomes: state.outcomes.includes(name) ? state.outcomes.filter((one) => one !== name) : [...state.outcomes, name],
})
