import { useState } from 'preact/hooks'
import type { ExploredColumn } from '../wire/messages.ts'
import { Name } from './name.tsx'
import { NumberLeverRow } from './number-lever.tsx'
import { isLocked, isMoved, mostOf, type Scenario, shareOf, withLock, withoutColumn, withShare } from './scenario.ts'

/** `stroke`: what is dragged; its moves are undone together. */
export type ChangeLevers = (change: (now: Scenario) => Scenario, stroke?: string) => void

interface LeverProps {
  readonly column: ExploredColumn
  /** In small letters; the levels with it are shown, and all where the column's name has it. */
  readonly wanted: string
  readonly scenario: Scenario
  readonly change: ChangeLevers
  /** By column: whether a person opened or closed it. Levers that a search leaves out are made again. */
  readonly opened: Map<string, boolean>
}

/** Columns have up to hundreds of levels; the frequent ones come first. */
const MOST_LEVELS = 100

/** Columns with more are closed at first. */
const FEW_LEVELS = 8

export function Lever({ column, wanted, scenario, change, opened }: LeverProps) {
  const moved = isMoved(scenario, column.name)
  const isShort = column.levels === null || column.levels.length <= FEW_LEVELS
  const [isOpen, setOpen] = useState(opened.get(column.name) ?? isShort)
  const isNamed = column.name.toLowerCase().includes(wanted)
  const levels = (column.levels ?? []).filter(({ name }) => isNamed || name.toLowerCase().includes(wanted))
  return (
    // What is closed is not made: files have hundreds of columns. What a search opens closes with it.
    <details
      class="lever"
      open={isOpen || wanted !== ''}
      onToggle={({ currentTarget: { open } }) => {
        if (wanted !== '') return
        opened.set(column.name, open)
        setOpen(open)
      }}
    >
      <summary>
        <Name text={column.name} /> {moved && <span class="moved">moved</span>}
      </summary>
      {!isOpen && wanted === '' ? null : column.levels === null ? (
        <NumberLeverRow column={column} scenario={scenario} change={change} />
      ) : (
        <>
          {levels.slice(0, MOST_LEVELS).map(({ name }) => (
            <Share key={name} column={column} level={name} scenario={scenario} change={change} />
          ))}
          {levels.length > MOST_LEVELS && (
            <p class="note">{levels.length - MOST_LEVELS} rarer levels: search for them.</p>
          )}
        </>
      )}
      {moved && (
        <button type="button" onClick={() => change((now) => withoutColumn(now, column.name))}>
          As in the data<span class="hidden">: {column.name}</span>
        </button>
      )}
    </details>
  )
}

/** One digit behind the point, and more where a share would be 0 with it. */
function percentText(share: number): string {
  const percent = share * 100
  return String(Number(percent > 0 && percent < 0.1 ? percent.toPrecision(1) : percent.toFixed(1)))
}

function Share({
  column,
  level,
  scenario,
  change,
}: Omit<LeverProps, 'wanted' | 'opened'> & { readonly level: string }) {
  const share = shareOf(scenario, column, level)
  const natural = column.levels?.find(({ name }) => name === level)?.share ?? null
  const percent = share === null ? '' : percentText(share)
  const label = `${column.name} ${level}`
  const held = isLocked(scenario, column.name, level)
  const most = mostOf(scenario, column.name, level)
  const set = (text: string, stroke?: string) => {
    const value = Number(text)
    if (text !== '' && Number.isFinite(value)) change((now) => withShare(now, column.name, level, value / 100), stroke)
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
        placeholder="rare"
        aria-label={`Percent of ${label}`}
        onChange={(event) => set(event.currentTarget.value)}
      />
      <label class="lock">
        <input
          type="checkbox"
          checked={held}
          aria-label={`Hold ${label}`}
          onChange={() => change((now) => withLock(now, column, level))}
        />
        hold
      </label>
    </div>
  )
}
