import type * as d3Scale from 'd3-scale'
import type * as d3Shape from 'd3-shape'
import { charts as untyped } from '../../generated/charts.ts'

type Charts = Pick<typeof d3Scale, 'scaleLinear' | 'scaleBand'> &
  Pick<typeof d3Shape, 'line' | 'area' | 'curveMonotoneX'>

/** Scales with their ticks, and the paths of lines and areas, as D3 has them. */
export const { scaleLinear, scaleBand, line, area, curveMonotoneX }: Charts = untyped as unknown as Charts
