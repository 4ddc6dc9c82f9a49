import type { SourceRange } from '../diagnostics/diagnostic.ts'
import type { Located, LocatedNode } from '../yaml/located-node.ts'
import { childNode } from '../yaml/located-node.ts'
import { columnEntries } from './column-entries.ts'
import type { MeanCondition } from './condition.ts'
import type { ConditionKind, WrittenMean } from './condition-kind.ts'

const ENDS = ['min', 'max'] as const

/** The mean of a numeric column: a number, or bounds of it. */
export const meanKind: ConditionKind<'mean'> = {
  word: 'means',
  noun: 'a mean',
  isOfLevels: false,
  goesWith: ['range'],
  settable: [[], ['min'], ['max']],
  entries: (fields) => columnEntries(fields, 'means', readMean),
  merge: (below, above) =>
    above.exact === undefined
      ? { column: above.column, exact: undefined, min: above.min ?? below?.min, max: above.max ?? below?.max }
      : above,
  paths: ({ exact, ...ends }) =>
    exact === undefined ? ENDS.filter((end) => ends[end] !== undefined).map((end) => [end]) : [[]],
  resolve(column, { column: place, exact, min, max }, report) {
    const condition: MeanCondition = {
      kind: 'mean',
      column,
      min: (exact ?? min)?.value ?? Number.NEGATIVE_INFINITY,
      max: (exact ?? max)?.value ?? Number.POSITIVE_INFINITY,
      place,
    }
    if (condition.min > condition.max) {
      report('S2002', {
        summary: `the mean of column "${column}" has min ${condition.min} above max ${condition.max}`,
        range: place,
        detail: `write { min: ${condition.max}, max: ${condition.min} } if they were exchanged`,
      })
    }
    return condition
  },
  sentIn: ({ means = {} }) => means,
  texts: (sent) =>
    typeof sent === 'number'
      ? [['', String(sent)]]
      : ENDS.flatMap((end) => (sent[end] === undefined ? [] : [[end, String(sent[end])] as const])),
  canonical: ({ min, max }) =>
    min === max ? min : { min: Number.isFinite(min) ? min : undefined, max: Number.isFinite(max) ? max : undefined },
  sent: (condition) => ({ means: meanKind.canonical(condition) }),
  extensions: () => ['means'],
  closed: (condition) => condition,
  asSent: (condition) => condition,
  names: ({ column, place }) => [{ column, level: null, place }],
}

function readMean(column: SourceRange, node: LocatedNode): WrittenMean {
  if (node.kind === 'map') {
    return { column, exact: undefined, min: numberOf(childNode(node, 'min')), max: numberOf(childNode(node, 'max')) }
  }
  return { column, exact: numberOf(node), min: undefined, max: undefined }
}

/** The number of a scalar; the shape has been checked before. */
function numberOf(node: LocatedNode | undefined): Located<number> | undefined {
  if (node?.kind !== 'scalar' || typeof node.value !== 'number') return undefined
  // Adding zero makes -0 the 0 that is sent.
  return { value: node.value + 0, range: node.range }
}

/** `25`, `at least 40`, `at most 60`, `40 to 60`. */
export function meanText({ min, max }: Pick<MeanCondition, 'min' | 'max'>): string {
  if (min === max) return String(min)
  if (max === Number.POSITIVE_INFINITY) return `at least ${min}`
  return min === Number.NEGATIVE_INFINITY ? `at most ${max}` : `${min} to ${max}`
}
