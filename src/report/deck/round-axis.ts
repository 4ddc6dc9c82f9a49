import { scaleLinear } from '../html/scales.ts'
import type { ChartAxis } from './chart.ts'

/** Ends and ticks of an axis at round numbers. */
export type RoundAxis = Required<Pick<ChartAxis, 'ends' | 'step'>>

/** The axis from `low` to `high` with about `count` ticks, one of them at zero where it is inside. */
export function roundAxis([low, high]: readonly [number, number], count: number): RoundAxis {
  const scale = scaleLinear().domain([low, high]).nice(count)
  const [first, last] = scale.domain()
  const [one, other] = scale.ticks(count)
  return { ends: [first!, last!], step: other! - one! }
}
