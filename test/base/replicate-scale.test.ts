import { expect, it } from 'vitest'
import { replicateScale } from '../../src/base/replicate-scale.ts'

/** What `svrepdesign` of R's survey package (4.4) makes of 80 combined replicate weights. */
it.each([
  ['brr', {}, 1 / 80],
  ['fay', { rho: 0.5 }, 1 / 20],
  ['fay', { rho: 0 }, 1 / 80],
  ['jackknife', {}, 79 / 80],
  ['bootstrap', {}, 1 / 79],
] as const)('replicates of type %s with %j have the scale of R’s survey package', (type, rest, scale) => {
  const found = replicateScale({ type, ...rest }, 80)
  expect(found.scale).toBeCloseTo(scale, 15)
  expect(found.rscales).toEqual(new Array(80).fill(1))
})

it('a jackknife with factors of its replicates has no further factor, as JKn', () => {
  expect(replicateScale({ type: 'jackknife', rscales: [0.5, 2 / 3, 0.75] }, 3)).toEqual({
    scale: 1,
    rscales: [0.5, 2 / 3, 0.75],
  })
})

it('what the survey says itself comes first', () => {
  // As the American Community Survey: 4/80.
  expect(replicateScale({ type: 'brr', scale: 0.05 }, 80).scale).toBe(0.05)
  expect(replicateScale({ type: 'fay', rho: 0.3, scale: 2, rscales: [1, 3] }, 2)).toEqual({ scale: 2, rscales: [1, 3] })
})
