import type { ComponentChildren } from 'preact'
import type { ExploredColumn } from '../wire/messages.ts'
import { changedRows, countedIn, type RowChoice, withoutRows, withRows } from './counted-in.ts'
import type { ChoiceProps } from './outcome-choice.tsx'
import { isNumber } from './scenario.ts'

/** Levels that can be chosen; the frequent ones come first. */
const MOST_LEVELS = 100

/** The rows that the answers are counted in, on both sides: the levers move all rows. */
export function RowsChoice({ dataset: { columns }, state, change }: ChoiceProps) {
  const { where } = state
  const set = (next: readonly RowChoice[]) => change({ ...state, where: next })
  const counted = countedIn(where, columns).map(({ column }) => column)
  return (
    <details open={where.length > 0}>
      <summary>
        Counted in{' '}
        {counted.length === 0 ? (
          'all rows'
        ) : (
          <>
            rows by <bdi>{counted.join(', ')}</bdi>
          </>
        )}
      </summary>
      <p class="note">The answers are those in the rows that you choose, on both sides. The levers move all rows.</p>
      <p class="tools">
        <select
          aria-label="Choose rows by"
          value=""
          onChange={(event) => {
            const column = event.currentTarget.value
            event.currentTarget.value = ''
            set(withRows(where, column))
          }}
        >
          <option value="">Choose rows by</option>
          {columns
            .filter(({ name }) => where.every(({ column }) => column !== name))
            .map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
        </select>
      </p>
      {where.map((choice) => {
        const column = columns.find(({ name }) => name === choice.column)
        return column === undefined ? null : (
          <RowsOf
            key={choice.column}
            {...{ column, choice }}
            set={(part) => set(changedRows(where, choice.column, part))}
          >
            <button type="button" onClick={() => set(withoutRows(where, choice.column))}>
              All rows<span class="hidden">, whatever their {choice.column}</span>
            </button>
          </RowsOf>
        )
      })}
    </details>
  )
}

interface RowsProps {
  readonly column: ExploredColumn
  readonly choice: RowChoice
  readonly set: (part: Partial<RowChoice>) => void
  readonly children: ComponentChildren
}

function RowsOf({ column: { name, levels, isDate, min, max }, choice, set, children }: RowsProps) {
  const chosen = new Set(choice.levels)
  const toggle = (level: string) =>
    set({ levels: chosen.has(level) ? choice.levels.filter((one) => one !== level) : [...choice.levels, level] })
  return (
    <fieldset>
      <legend>
        <bdi>{name}</bdi>
      </legend>
      {levels === null ? (
        <p class="tools">
          <End
            {...{ name, isDate, words: 'from', natural: min, typed: choice.min }}
            set={(text) => set({ min: text })}
          />
          <End {...{ name, isDate, words: 'to', natural: max, typed: choice.max }} set={(text) => set({ max: text })} />
        </p>
      ) : (
        <div class="choices">
          {levels.slice(0, MOST_LEVELS).map(({ name: level }) => (
            <label key={level}>
              <input
                type="checkbox"
                checked={chosen.has(level)}
                aria-label={`Rows with ${name} ${level}`}
                onChange={() => toggle(level)}
              />
              <bdi>{level}</bdi>
            </label>
          ))}
        </div>
      )}
      {children}
    </fieldset>
  )
}

interface EndProps {
  readonly name: string
  readonly words: string
  readonly isDate: boolean
  readonly natural: number | string | null
  readonly typed: string
  readonly set: (text: string) => void
}

function End({ name, words, isDate, natural, typed, set }: EndProps) {
  const isWrong = typed !== '' && !isDate && !isNumber(typed)
  return (
    <label>
      {words}{' '}
      <input
        type="text"
        inputMode={isDate ? 'text' : 'decimal'}
        size={10}
        value={typed}
        placeholder={natural === null ? '' : String(natural)}
        aria-label={`Rows with ${name} ${words}`}
        aria-invalid={isWrong}
        onChange={(event) => set(event.currentTarget.value.trim())}
      />
      {isWrong && <span class="fault wrong"> Not a number: it bounds nothing.</span>}
    </label>
  )
}
