import type { Conditions } from '../contract/conditions.ts'
import type { Shortfall } from '../contract/generations.ts'
import { isMixOf } from '../contract/stated-mix.ts'

/** A shortfall without a mix that names what the conditions do not state: it is shown as something that can be pasted. */
export function trustedShortfall(shortfall: Shortfall, stated: Conditions): Shortfall {
  const { nearest_mix: mix, ...rest } = shortfall
  return mix !== undefined && isMixOf(mix, stated) ? shortfall : rest
}
