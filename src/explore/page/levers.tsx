import type { ExploredColumn } from '../messages.ts'
import {
  isLocked,
  isMoved,
  mostOf,
  numberOf,
  type Scenario,
  shareOf,
  withLock,
  withNumber,
  withoutColumn,
  withShare,
} from './scenario.ts'

interface LeverProps {
  readonly column: ExploredColumn
  readonly scenario: Scenario
  /** `stroke`: what is dragged; its moves are undone together. */
  readonly change: (scenario: Scenario, stroke?: string) => void
}

/** Columns have up to hundreds of levels; the frequent ones come first. */
const MOST_LEVELS = 100

export function Lever({ column, scenario, change }: LeverProps) {
  const moved = isMoved(scenario, column.name)
  return (
    <details class="lever" open={column.levels === null || column.levels.length <= 8}>
      <summary>
        <bdi>{column.name}</bdi> {moved && <span class="moved">moved</span>}
      </summary>
      {column.levels === null ? (
        <Bounds column={column} scenario={scenario} change={change} />
      ) : (
        column.levels
          .slice(0, MOST_LEVELS)
          .map(({ name }) => <Share key={name} column={column} level={name} scenario={scenario} change={change} />)
      )}
      {moved && (
        <button type="button" onClick={() => change(withoutColumn(scenario, column.name))}>
          As in the data<span class="hidden">: {column.name}</span>
        </button>
      )}
    </details>
  )
}

function Share({ column, level, scenario, change }: LeverProps & { readonly level: string }) {
  const share = shareOf(scenario, column, level)
  const natural = column.levels?.find(({ name }) => name === level)?.share ?? null
  const percent = share === null ? '' : String(Number((share * 100).toFixed(1)))
  const label = `${column.name} ${level}`
  const held = isLocked(scenario, column.name, level)
  const most = mostOf(scenario, column.name, level)
  const set = (text: string, stroke?: string) => {
    const value = Number(text)
    if (text !== '' && Number.isFinite(value)) change(withShare(scenario, column.name, level, value / 100), stroke)
  }
  return (
    <div class="share">
      <bdi class="level">{level}</bdi>
      <span class="slider">
        {natural !== null && <span class="natural" style={{ width: `${natural * 100}%` }} />}
        <input
          type="range"
          min="0"
          max="100"
          step="0.5"
          disabled={held}
          value={percent || '0'}
          aria-label={`Share of ${label}`}
          aria-valuetext={percent === '' ? 'not known' : `${percent} %, at most ${Number((most * 100).toFixed(1))} %`}
          onInput={(event) => set(event.currentTarget.value, label)}
        />
      </span>
      <input
        type="number"
        min="0"
        max="100"
        step="any"
        disabled={held}
        value={percent}
        aria-label={`Percent of ${label}`}
        onChange={(event) => set(event.currentTarget.value)}
      />
      <label class="lock">
        <input
          type="checkbox"
          checked={held}
          aria-label={`Hold ${label}`}
          onChange={() => change(withLock(scenario, column, level))}
        />
        hold
      </label>
    </div>
  )
}

function Bounds({ column, scenario, change }: LeverProps) {
  const { name, min, max, isDate } = column
  const typed = numberOf(scenario, name)
  const parts = [
    ['min', 'From', min],
    ['max', 'To', max],
    ...(isDate ? [] : ([['mean', 'Mean', null]] as const)),
  ] as const
  return (
    <div class="bounds">
      {parts.map(([part, words, natural]) => (
        <label key={part}>
          {words}
          <input
            type="text"
            inputMode={isDate ? 'text' : 'decimal'}
            value={typed[part]}
            placeholder={natural === null ? '' : String(natural)}
            aria-label={`${words} of ${name}`}
            onChange={(event) => change(withNumber(scenario, name, { [part]: event.currentTarget.value.trim() }))}
          />
        </label>
      ))}
    </div>
  )
}
