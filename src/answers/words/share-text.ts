import { words } from '../../base/language/language.ts'
import { localNumber, percentSign } from '../../base/language/local-number.ts'
import { endsOfTarget, type TargetOrBounds } from '../arithmetic/figures.ts'

/** A share as a percentage, as it is stated: `33 %`, `0.5 %`. */
export const percentText = (share: number): string => percentSign(percent(share))

/** A target share or its bounds: `33 %`, `at least 50 %`, `30 % to 40 %`. */
export function targetShareText(target: TargetOrBounds): string {
  const { min, max } = endsOfTarget(target)
  if (min === max) return percentText(min)
  if (!Number.isFinite(max)) return words().figures.atLeast(percentText(min))
  return Number.isFinite(min)
    ? words().figures.range(percentText(min), percentText(max))
    : words().figures.atMost(percentText(max))
}

/** A share to a decimal of a percent, for results: `34.7 %`. */
export const shareText = (share: number): string => percentSign((share * 100).toFixed(1))

/** The difference of two shares that were counted: `+1.2 points`, `0 points`. */
export const pointsText = (difference: number): string =>
  `${difference > 0 ? '+' : ''}${localNumber(percent(difference))}${words().figures.units.share}`

const percent = (share: number): string => String(Number(Number((share * 100).toFixed(4)).toPrecision(6)))
