import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import type { Scenario } from './scenario.ts'

/**
 * Makes the lever of a column anew only if what it shows has changed: the library skips what is the same object, and a page has
 * thousands of sliders.
 */
export function useUnchanged(): (column: string, wanted: string, levers: Scenario, make: () => VNode) => VNode {
  const known = useRef(new Map<string, { readonly of: readonly unknown[]; readonly vnode: VNode }>())
  return (column, wanted, { shares, locked, numbers }, make) => {
    const of = [wanted, shares.get(column), locked.get(column), numbers.get(column)]
    const before = known.current.get(column)
    if (before?.of.every((one, i) => one === of[i])) return before.vnode
    const vnode = make()
    known.current.set(column, { of, vnode })
    return vnode
  }
}
