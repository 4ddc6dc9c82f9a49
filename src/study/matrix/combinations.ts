import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic, SourceRange } from '../diagnostics/diagnostic.ts'
import { MAX_COMBINATIONS } from '../diagnostics/limits.ts'
import type { Match, Matrix } from './read-matrix.ts'

/** Most comparisons of a combination with an entry of `exclude` or `override`. */
const MOST_COMPARISONS = 50_000_000

/** Sizes of axes written out in messages. */
const LISTED_SIZES = 12

/** Per axis, the index of the chosen value. */
export type Combination = readonly number[]

/**
 * The combinations of a matrix that `exclude` leaves, the last axis changing fastest. Null, with the arithmetic in a
 * diagnostic, when there are too many or none.
 */
export function combinations(
  group: { readonly id: string; readonly range: SourceRange },
  matrix: Matrix,
  limit: number,
  diagnostics: Diagnostic[],
): readonly Combination[] | null {
  const sizes = matrix.axes.map((axis) => axis.values.length)
  const product = sizes.reduce((a, b) => a * b, 1)
  const entries = matrix.exclude.length + matrix.override.length
  // How many combinations `exclude` removes is known only after checking every one, so that has a limit of its own.
  if (product > (entries === 0 ? limit : MAX_COMBINATIONS) || product * entries > MOST_COMPARISONS) {
    diagnostics.push(tooMany(group, `${arithmetic(sizes, 0)}`, Math.min(limit, MAX_COMBINATIONS)))
    return null
  }
  const hits = new Map<Match, number>(matrix.exclude.map((match) => [match, 0]))
  const kept: Combination[] = []
  for (let index = 0; index < product; index++) {
    const combination = digits(index, sizes)
    const match = matrix.exclude.find((candidate) => matches(candidate, combination))
    if (match === undefined) kept.push(combination)
    else hits.set(match, hits.get(match)! + 1)
  }
  for (const [match, count] of hits) if (count === 0) diagnostics.push(matchesNothing('exclude', match))
  const sum = arithmetic(sizes, product - kept.length)
  if (kept.length > limit) {
    diagnostics.push(tooMany(group, sum, limit))
    return null
  }
  if (kept.length === 0 && matrix.include.length === 0) {
    diagnostics.push(
      diagnose('S4105', { summary: `nothing is left of the matrix of "${group.id}"`, range: group.range, detail: sum }),
    )
    return null
  }
  for (const { match } of matrix.override) {
    if (!kept.some((combination) => matches(match, combination))) diagnostics.push(matchesNothing('override', match))
  }
  return kept
}

export function matches(match: Match, combination: Combination): boolean {
  return match.choices.every(({ axis, value }) => combination[axis] === value)
}

function matchesNothing(list: string, match: Match): Diagnostic {
  return diagnose('S4103', {
    summary: `this entry of \`${list}\` matches no combination that is left`,
    range: match.range,
    detail: `entries of \`exclude\` have removed all of them; remove this one`,
  })
}

function tooMany(group: { readonly id: string; readonly range: SourceRange }, sum: string, limit: number): Diagnostic {
  return diagnose('S4106', {
    summary: `the matrix of "${group.id}" has more than ${limit} combinations`,
    range: group.range,
    detail: `${sum}\nraise limits.max_scenarios if you need so many`,
  })
}

/** `2 × 3 = 6 combinations, 1 excluded, 5 left`. */
function arithmetic(sizes: readonly number[], excluded: number): string {
  const product = sizes.reduce((a, b) => a * b, 1)
  const shown = sizes.slice(0, LISTED_SIZES).join(' × ')
  const factors = sizes.length > 1 ? `${shown}${sizes.length > LISTED_SIZES ? ' × …' : ''} = ` : ''
  return `${factors}${product} ${product === 1 ? 'combination' : 'combinations'}${excluded > 0 ? `, ${excluded} excluded, ${product - excluded} left` : ''}`
}

function digits(index: number, sizes: readonly number[]): number[] {
  const combination = new Array<number>(sizes.length)
  let rest = index
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    const size = sizes[axis]!
    combination[axis] = rest % size
    rest = Math.floor(rest / size)
  }
  return combination
}
