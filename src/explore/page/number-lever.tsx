import { useRef } from 'preact/hooks'
import type { ExploredColumn } from '../wire/messages.ts'
import { isNumber, type NumberLever, numberOf, type Scenario, withNumber } from './scenario.ts'

interface NumberProps {
  readonly column: ExploredColumn
  readonly scenario: Scenario
  readonly change: (change: (now: Scenario) => Scenario, stroke?: string) => void
}

type Part = keyof NumberLever
type SetNumber = (parts: Partial<NumberLever>, stroke?: string) => void

const PARTS: readonly (readonly [Part, string])[] = [
  ['min', 'From'],
  ['max', 'To'],
  ['mean', 'Mean'],
]

/** Steps of a slider from the least to the largest value. */
const STEPS = 200

/** A number: the ends of its range and its mean, by slider or typed; a date has ends to type alone. */
export function NumberLeverRow({ column, scenario, change }: NumberProps) {
  const { name, min, max, isDate } = column
  const typed = numberOf(scenario, name)
  const set: SetNumber = (parts, stroke) => change((now) => withNumber(now, name, parts), stroke)
  const isScaled = typeof min === 'number' && typeof max === 'number' && min < max
  return (
    <>
      {isScaled && <Histogram column={column} low={min} high={max} typed={typed} set={set} />}
      {PARTS.filter(([part]) => part !== 'mean' || !isDate).map(([part, words]) => (
        <NumberPart key={part} {...{ column, part, words, typed: typed[part], set }} />
      ))}
    </>
  )
}

interface PartProps {
  readonly column: ExploredColumn
  readonly part: Part
  readonly words: string
  readonly typed: string
  readonly set: SetNumber
}

function NumberPart({ column: { name, min, max, quantiles, isDate }, part, words, typed, set }: PartProps) {
  const natural = part === 'min' ? min : part === 'max' ? max : null
  const isWrong = typed !== '' && !isDate && !isNumber(typed)
  const label = `${words} of ${name}`
  const hint = `${label}, why not`
  const isScaled = typeof min === 'number' && typeof max === 'number' && min < max
  const shown = isNumber(typed) ? Number(typed) : (natural ?? quantiles[2] ?? middle(min, max))
  return (
    <div class="number">
      <span class="level">{words}</span>
      {isScaled ? (
        <input
          type="range"
          min={min}
          max={max}
          step={stepOf(min, max)}
          value={String(shown)}
          aria-label={label}
          aria-valuetext={typed === '' ? 'as in the data' : typed}
          class={typed === '' ? 'unmoved' : ''}
          onInput={(event) => set({ [part]: event.currentTarget.value }, label)}
        />
      ) : (
        <span />
      )}
      <input
        type="text"
        inputMode={isDate ? 'text' : 'decimal'}
        value={typed}
        placeholder={natural === null ? '' : String(natural)}
        aria-label={`${label}, typed`}
        aria-invalid={isWrong}
        {...(isWrong && { 'aria-describedby': hint })}
        onChange={(event) => set({ [part]: event.currentTarget.value.trim() })}
      />
      {isWrong && (
        <span class="fault wrong" id={hint}>
          Not a number: it moves nothing.
        </span>
      )}
    </div>
  )
}

interface HistogramProps {
  readonly column: ExploredColumn
  readonly low: number
  readonly high: number
  readonly typed: NumberLever
  readonly set: SetNumber
}

/** Parts of 5, 20, 25, 25, 20 and 5 % of the values, as high as they are dense. Dragging over it chooses a range. */
function Histogram({ column: { name, quantiles }, low, high, typed, set }: HistogramProps) {
  const at = (value: number): number => ((value - low) / (high - low)) * 100
  const edges = quantiles.length === 5 ? [low, ...quantiles, high] : [low, high]
  const masses = quantiles.length === 5 ? [0.05, 0.2, 0.25, 0.25, 0.2, 0.05] : [1]
  const bars = masses.map((mass, i) => {
    const [left, right] = [edges[i]!, edges[i + 1]!]
    // A value that many rows share has no width.
    const width = Math.max(at(right) - at(left), 1)
    return { x: Math.min(at(left), 99), width, density: mass / width }
  })
  const densest = Math.max(...bars.map(({ density }) => density))
  const [from, to] = [isNumber(typed.min) ? Number(typed.min) : low, isNumber(typed.max) ? Number(typed.max) : high]
  const start = useRef<number | null>(null)
  const valueAt = (event: PointerEvent): number => {
    const box = (event.currentTarget as Element).getBoundingClientRect()
    const part = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width))
    const step = stepOf(low, high)
    return tidy(Math.min(high, low + Math.round((part * (high - low)) / step) * step))
  }
  const drag = (event: PointerEvent) => {
    if (start.current === null) return
    const ends = [start.current, valueAt(event)].sort((a, b) => a - b)
    if (ends[0] !== ends[1]) set({ min: String(ends[0]), max: String(ends[1]) }, `brush ${name}`)
  }
  return (
    <svg
      class="histogram"
      viewBox="0 0 100 24"
      preserveAspectRatio="none"
      aria-hidden="true"
      onPointerDown={(event) => {
        start.current = valueAt(event)
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        start.current = null
      }}
    >
      {bars.map(({ x, width, density }) => (
        <rect
          key={x}
          x={x}
          y={24 - (density / densest) * 24}
          width={Math.min(width, 100 - x)}
          height={(density / densest) * 24}
        />
      ))}
      {(typed.min !== '' || typed.max !== '') && (
        <rect class="brush" x={at(from)} y={0} width={Math.max(0.5, at(to) - at(from))} height={24} />
      )}
      {isNumber(typed.mean) && <rect class="mean" x={at(Number(typed.mean)) - 0.4} y={0} width={0.8} height={24} />}
    </svg>
  )
}

/** Whole numbers step by whole numbers. */
function stepOf(min: number, max: number): number {
  const step = (max - min) / STEPS
  return Number.isInteger(min) && Number.isInteger(max) ? Math.max(1, Math.round(step)) : step
}

const middle = (min: unknown, max: unknown): number =>
  typeof min === 'number' && typeof max === 'number' ? tidy((min + max) / 2) : 0

const tidy = (value: number): number => Number(value.toPrecision(12))
