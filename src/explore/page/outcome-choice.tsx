import { useState } from 'preact/hooks'
import { numberWord } from '../../answers/words/quantile-text.ts'
import type { AskedOutcome, ExploredDataset, PercentageBase } from '../wire/messages.ts'
import { figureText } from './figure-choice.tsx'
import { Name } from './name.tsx'
import { furtherOutcomes, naturalOutcome } from './outcomes.ts'
import { isAsked, MOST_OUTCOMES, type PageState, withAsked, withOutcome } from './page-state.ts'
import { RowsChoice } from './rows-choice.tsx'

export interface ChoiceProps {
  readonly dataset: ExploredDataset
  readonly state: PageState
  readonly change: (state: PageState) => void
}

/** Columns that one does not find at a glance. */
const MANY = 40

/** What is asked: outcomes, and the rows that they are counted in. */
export function OutcomeChoice({ dataset, state, change }: ChoiceProps) {
  const { outcomes } = state
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const isFull = outcomes.length >= MOST_OUTCOMES
  const natural = dataset.columns.map(naturalOutcome)
  const further = outcomes.filter((one) => !natural.some(({ column, of }) => one.column === column && one.of === of))
  const box = (outcome: AskedOutcome, label: string) => (
    <label key={label}>
      <input
        type="checkbox"
        checked={isAsked(state, outcome)}
        disabled={isFull && !isAsked(state, outcome)}
        onChange={() => change(withOutcome(state, outcome))}
      />
      <Name text={label} />
    </label>
  )
  return (
    <>
      {dataset.comparisons.length > 0 && <Comparisons {...{ dataset, state, change }} />}
      <details>
        <summary>
          Outcomes ({outcomes.length}){state.base !== null && `, shares of ${BASES[state.base]}`}
        </summary>
        {natural.length > MANY && (
          <p class="tools">
            <input
              type="search"
              aria-label="Search outcomes"
              placeholder="Search"
              value={search}
              onInput={(event) => setSearch(event.currentTarget.value)}
            />
          </p>
        )}
        <div class="choices">
          {natural
            .filter(({ column }) => column.toLowerCase().includes(wanted))
            .map((outcome) => box(outcome, outcome.column))}
        </div>
        <Further {...{ dataset, state, change }} />
        <Base state={state} change={change} />
        {further.length > 0 && (
          <div class="choices">
            {further.map((outcome) =>
              box(
                outcome,
                figureText({
                  ...{ column: outcome.column, level: null },
                  ...(typeof outcome.of === 'number' && { quantile: outcome.of }),
                }),
              ),
            )}
          </div>
        )}
      </details>
      <RowsChoice {...{ dataset, state, change }} />
    </>
  )
}

const BASES: Readonly<Record<PercentageBase, string>> = { all: 'all rows', valid: 'rows with an answer' }

/** What shares are shares of, where it is not as the dataset declares. */
function Base({ state, change }: Pick<ChoiceProps, 'state' | 'change'>) {
  return (
    <p class="tools">
      <label>
        Shares are of{' '}
        <select
          aria-label="Shares are of"
          value={state.base ?? ''}
          onChange={({ currentTarget: { value } }) =>
            change({ ...state, base: value === '' ? null : (value as PercentageBase) })
          }
        >
          <option value="">as declared</option>
          {Object.entries(BASES).map(([base, words]) => (
            <option key={base} value={base}>
              {words}
            </option>
          ))}
        </select>
      </label>
    </p>
  )
}

/** Comparisons of a study may ask for different outcomes in different rows. */
function Comparisons({ dataset, state, change }: ChoiceProps) {
  return (
    <p class="tools">
      <label>
        As in comparison{' '}
        <select
          aria-label="As in comparison"
          value=""
          onChange={(event) => {
            const chosen = dataset.comparisons[Number(event.currentTarget.value)]
            // Shows the words again: what was chosen can be changed below.
            event.currentTarget.value = ''
            if (chosen !== undefined) change(withAsked(state, chosen))
          }}
        >
          <option value="">choose</option>
          {dataset.comparisons.map(({ id }, i) => (
            <option key={id} value={String(i)}>
              {id}
            </option>
          ))}
        </select>
      </label>
    </p>
  )
}

/** Quantiles of numbers and means of codes, one at a time. */
function Further({ dataset, state, change }: ChoiceProps) {
  const [name, setName] = useState('')
  const columns = dataset.columns.filter((column) => furtherOutcomes(column).length > 0)
  if (columns.length === 0) return null
  const column = columns.find((one) => one.name === name)
  return (
    <p class="tools">
      <label>
        Also a figure of{' '}
        <select aria-label="Also a figure of" value={name} onChange={(event) => setName(event.currentTarget.value)}>
          <option value="">choose</option>
          {columns.map((one) => (
            <option key={one.name} value={one.name}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      {column !== undefined &&
        furtherOutcomes(column)
          .filter((outcome) => !isAsked(state, outcome))
          .map((outcome) => (
            <button
              key={outcome.of}
              type="button"
              disabled={state.outcomes.length >= MOST_OUTCOMES}
              onClick={() => change(withOutcome(state, outcome))}
            >
              {wordOf(outcome)}
              <span class="hidden"> of {name}</span>
            </button>
          ))}
    </p>
  )
}

const wordOf = ({ of }: AskedOutcome): string => numberWord(typeof of === 'number' ? String(of) : null)
