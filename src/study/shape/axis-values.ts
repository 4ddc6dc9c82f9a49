import { childItems, childMap, childNumber, type Located, type LocatedNode, nameText } from '../yaml/located-node.ts'

/** A value of an axis, by the slug that names scenarios. */
export interface AxisValue {
  readonly slug: string
  /** A patch, or the one value that the axis sets; of a sweep at the place of its first number. */
  readonly node: LocatedNode
}

/** The path of an axis that sets one value, or null when there is none or it is no list of words. */
export function axisPath(axis: LocatedNode): readonly Located<string>[] | null {
  const set = childItems(axis, 'set')
  const items = set.length > 0 ? set : childItems(axis, 'sweep')
  if (items.length === 0 || items.some((item) => item.kind !== 'scalar')) return null
  return items.map((item) => ({ value: nameText(item), range: item.range }))
}

/** The values of an axis: those that are written, or the numbers of its sweep. Empty where the shape is wrong. */
export function axisValues(axis: LocatedNode): AxisValue[] {
  const written = childMap(axis, 'values')
  if (written !== undefined) return [...written.entries.values()].map(({ key, value }) => ({ slug: key, node: value }))
  const [from, to, steps] = ['from', 'to', 'steps'].map((key) => childNumber(axis, key))
  if (from === undefined || to === undefined || steps === undefined) return []
  // The shape phase refuses others: their values are not needed.
  if (!(steps.value >= 2 && steps.value <= 40 && Number.isInteger(steps.value))) return []
  const distance = (to.value - from.value) / (steps.value - 1)
  const numbers = Array.from({ length: steps.value }, (_, i) => plain(from.value + i * distance, 12))
  const short = numbers.map((number) => plain(number, 4))
  const names = new Set(short).size === numbers.length ? short : numbers
  return numbers.map((value, i) => ({
    slug: slugOf(names[i]!),
    node: { kind: 'scalar', range: from.range, value, source: String(value) },
  }))
}

/** 0.30000000000000004 is written as 0.3. */
const plain = (value: number, digits: number): number => Number(value.toPrecision(digits))

/** Slugs have no signs. */
const slugOf = (value: number): string => String(value).replace('e+', 'e').replace(/^-/, 'minus-')
