import { currentOf, MOST_SCENARIOS, type PageState, withAnother, withCurrent, withoutCurrent } from './page-state.ts'
import { UNCHANGED } from './scenario.ts'

interface TabsProps {
  readonly state: PageState
  readonly change: (state: PageState, stroke?: string) => void
}

/** The scenarios of the page: one is moved and answered, the others wait beside it. */
export function ScenarioTabs({ state, change }: TabsProps) {
  const { scenarios, current } = state
  const isFull = scenarios.length >= MOST_SCENARIOS
  return (
    <section aria-label="Scenarios" class="tabs">
      {scenarios.map(({ name }, i) => (
        <button
          key={i}
          type="button"
          aria-pressed={i === current}
          onClick={() => i !== current && change({ ...state, current: i })}
        >
          <bdi>{name || 'without a name'}</bdi>
        </button>
      ))}
      <span class="tools">
        <label>
          Name
          <input
            type="text"
            class="name"
            value={currentOf(state).name}
            maxLength={60}
            spellcheck={false}
            onInput={(event) =>
              change(withCurrent(state, { name: event.currentTarget.value.trim() }), `name ${current}`)
            }
          />
        </label>
        <button type="button" disabled={isFull} onClick={() => change(withAnother(state, currentOf(state).levers))}>
          Duplicate
        </button>
        <button type="button" disabled={isFull} onClick={() => change(withAnother(state, UNCHANGED))}>
          New
        </button>
        <button type="button" disabled={scenarios.length === 1} onClick={() => change(withoutCurrent(state))}>
          Remove
        </button>
      </span>
    </section>
  )
}
