import type { ComparisonResult } from '../../records/manifest/comparisons.ts'
import type { DifferenceCertainty } from '../../records/manifest/differences.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import { type Differences, figureAt, figureName, figuresIn } from '../arithmetic/figures-in.ts'

/** How the answers of a repeated run agree with those of the run. */
export interface Agreement {
  /** Answers that both have. */
  readonly answers: number
  /** Those that are the same figure. */
  readonly same: number
  /** Those that lie within the interval of the run, the same ones included. */
  readonly within: number
  /** The first answer outside its interval: its place. */
  readonly outside: string | null
}

type Difference = Partial<DifferenceCertainty> & { readonly delta: number | null }

/** Both are rounded, and another processor may round the last digit in another way. */
const SAME = 1e-6

/**
 * The answers of comparisons, held against those of a repeated run.
 *
 * @param counts whether a result takes part, by its comparison and the scenarios behind it.
 */
export function agreementOf(
  before: Manifest,
  again: Manifest,
  counts: (comparison: string, scenarios: readonly string[]) => boolean,
): Agreement {
  const found = { answers: 0, same: 0, within: 0, outside: null as string | null }
  for (const [id, comparison] of Object.entries(before.comparisons))
    for (const [scenario, result] of Object.entries(comparison.scenarios)) {
      const other = valueIn(valueIn(again.comparisons, id)?.scenarios, scenario)
      if (other === undefined || !counts(id, result.replicates?.ids ?? [scenario])) continue
      for (const [place, one, two] of pairsOf(result, other)) {
        const [a, b] = [figureOf(one), figureOf(two)]
        if (a === null || b === null || one.interval == null) continue
        const isSame = Math.abs(a - b) <= SAME * Math.max(1, Math.abs(a))
        const [low, high] = one.interval
        found.answers++
        if (isSame) found.same++
        if (isSame || (b >= low && b <= high)) found.within++
        else found.outside ??= `${id}: ${scenario} ${place}`
      }
    }
  return found
}

type Places = readonly (readonly [place: string, a: Difference, b: Difference])[]

function pairsOf(a: ComparisonResult, b: ComparisonResult): Places {
  const inside = (a.segments ?? []).flatMap((segment) => {
    const other = b.segments?.find(({ level }) => level === segment.level)
    const pairs = other === undefined ? [] : pairsAmong(segment, other)
    return pairs.map(([place, ...both]) => [`${place} in ${segment.level}`, ...both] as const)
  })
  return [...pairsAmong(a, b), ...inside]
}

function pairsAmong(a: Differences, b: Differences): Places {
  return figuresIn(a).flatMap((figure) => {
    const two = figureAt(b, figure) as Difference | undefined
    return two === undefined ? [] : [[figureName(figure), figure.value, two] as const]
  })
}

/** The answer of the seed; without one, the difference in the rows. */
const figureOf = ({ answer, delta }: Difference): number | null => answer?.difference ?? delta

const valueIn = <V>(record: Readonly<Record<string, V>> | undefined, name: string): V | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
