import { words } from '../../base/language/language.ts'
import { localNumber, percentSign } from '../../base/language/local-number.ts'
import type { GateResult } from '../../records/manifest/gates.ts'
import { type GateKind, gateKindOf, type NoInterval } from '../gates/gate-kinds.ts'
import { figureText } from './difference-text.ts'
import { end, grouped, roundingOf } from './rounded-text.ts'

/**
 * Gates in the words of the answers: shares are percentages, their differences points. A later version's gate has the figures of the
 * manifest.
 */
type Unit = 'percent' | 'points' | 'change in points' | 'change' | 'number' | 'unknown'

/** `delta:<scenario>:<column>[:<level>]`; neither scenarios nor columns have a colon. */
const OF_LEVEL = /^delta:[^:]*:[^:]*:/u

const UNITS: { readonly [Kind in GateKind]: (id: string) => Unit } = {
  fill: () => 'percent',
  shares: () => 'points',
  ranges: () => 'percent',
  means: () => 'number',
  cells: () => 'points',
  delta: (id) => (OF_LEVEL.test(id) ? 'change in points' : 'change'),
  quantile: () => 'change',
  // A number of models.
  mixed_model: () => 'unknown',
  coverage: () => 'percent',
  error: () => 'number',
  // A number of errors.
  beyond_chance: () => 'unknown',
}

function unitOf(id: string): Unit {
  const kind = gateKindOf(id)
  return kind === null ? 'unknown' : UNITS[kind](id)
}

const SCALES: Readonly<Record<Unit, number>> = {
  percent: 100,
  points: 100,
  'change in points': 100,
  change: 1,
  number: 1,
  unknown: 1,
}

function suffixOf(unit: Unit): string {
  if (unit === 'percent') return `${words().numbers.percent}%`
  return unit === 'points' || unit === 'change in points' ? words().figures.units.share : ''
}

const isChange = (unit: Unit): boolean => unit === 'change' || unit === 'change in points'

/** The expectation of a gate: `delta_min +1 points, confidence 95 %`. Not escaped. */
export const expectedText = (gate: Pick<GateResult, 'id' | 'expected'>): string => expectedParts(gate).join(', ')

/** The same, part by part. */
export function expectedParts({ id, expected }: Pick<GateResult, 'id' | 'expected'>): string[] {
  const unit = unitOf(id)
  return Object.entries(expected).map(([key, value]) => {
    if (typeof value !== 'number') return `${key} ${value}`
    if (key === 'confidence') return `${key} ${percentSign(percentOf(value))}`
    const scaled = localNumber(numberText(value * SCALES[unit]))
    return `${key} ${isChange(unit) && value > 0 ? '+' : ''}${scaled}${suffixOf(unit)}`
  })
}

/** The finding of a gate: `+2.1 points, 95 % interval 1.0 to 3.2`. */
export function foundText(gate: GateResult): string {
  const { interval, reason, expected, id } = gate
  const { comma } = words().figures
  const { gateInterval, noInterval } = words().answers
  if (gate.actual === null) return words().answers.nothingToEvaluate
  const actual = actualText(gate)
  if (interval !== undefined) {
    const percent = typeof expected.confidence === 'number' ? percentSign(percentOf(expected.confidence)) : null
    return `${actual}${comma}${gateInterval(percent, intervalText(interval, SCALES[unitOf(id)]))}`
  }
  if (reason === undefined) return actual
  const why: Readonly<Record<NoInterval, string>> = noInterval
  return `${actual}${comma}${Object.hasOwn(why, reason) ? why[reason as NoInterval] : noInterval.other}`
}

/**
 * The finding of a gate, to the digits that its interval or the noise of generation supports; without either, six digits. It gets
 * more digits when rounding would put it on the other side of the bound.
 */
export function actualText({ id, actual, interval, chance, expected }: GateResult): string {
  if (actual === null) return '-'
  const unit = unitOf(id)
  const factor = SCALES[unit]
  const value = actual * factor
  const bounds = Object.entries(expected).flatMap(([key, bound]) =>
    typeof bound === 'number' && key !== 'confidence' ? [bound * factor] : [],
  )
  const isTrue = (text: string) => bounds.every((b) => sideOf(Number(text), b) === sideOf(value, b))
  const scale = interval !== undefined ? stepOf(interval, factor) : (factor * (chance ?? 0)) / 2
  const texts = [
    ...(scale > 0 ? [figureText(value, scale), figureText(value, scale / 10)] : []),
    ...[6, 9].map((digits) => numberText(Number(value.toPrecision(digits)))),
  ]
  const exact = numberText(value)
  const found = texts.find(isTrue) ?? exact
  // Trailing zeros without precision mean nothing.
  const text = found.length < exact.length ? found : exact
  return `${isChange(unit) && actual > 0 ? '+' : ''}${grouped(text)}${suffixOf(unit)}`
}

/** Slack for the last bits that scaling leaves. */
const LAST_BITS = 1e-9

const sideOf = (value: number, bound: number): number =>
  Math.abs(value - bound) <= LAST_BITS * Math.max(1, Math.abs(bound)) ? 0 : Math.sign(value - bound)

/** An interval in the digits that its width supports. */
function intervalText([low, high]: readonly [number, number], factor: number): string {
  const scale = stepOf([low, high], factor)
  return words().figures.range(end(low * factor, scale), end(high * factor, scale))
}

/** About the standard error, rounded as answers are. */
const stepOf = ([low, high]: readonly [number, number], factor: number): number =>
  high > low ? roundingOf((factor * (high - low)) / 4) : 0

const percentOf = (share: number): string => String(Number((share * 100).toFixed(4)))

const numberText = (value: number): string => String(value === 0 ? 0 : Number(value.toPrecision(12)))
