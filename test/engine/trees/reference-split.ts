/** The best split of a node: the reference implementation that `split-search.ts` is tested against. */
import type { Predictor } from '../../../src/engine/trees/row-cells.ts'

export interface ReferenceSplit {
  readonly feature: number
  readonly gain: number
  readonly leftRows: readonly number[]
}

/** Arguments as those of `SplitSearch.search`, with `rows` being the node's rows only. Null when no split reaches `minGain`. */
export function referenceBestSplit(
  predictors: readonly Predictor[],
  rows: readonly number[],
  classes: readonly number[],
  ordinal: boolean,
  leaf: number,
  minGain: number,
): ReferenceSplit | null {
  let best: ReferenceSplit | null = null
  const majority = mostFrequent(classes)
  predictors.forEach((predictor, feature) => {
    const score = (bin: number) => {
      const own = classes.filter((_, i) => predictor.bins[rows[i]!] === bin)
      const sum = own.reduce((total, c) => total + (ordinal ? c : c === majority ? 1 : 0), 0)
      return sum / own.length
    }
    const present = [...new Set(rows.map((row) => predictor.bins[row]!))].sort((a, b) => a - b)
    const order = predictor.ordered ? present : present.sort((a, b) => score(a) - score(b) || a - b)
    for (let cut = 1; cut < order.length; cut++) {
      const left = new Set(order.slice(0, cut))
      const isLeft = rows.map((row) => left.has(predictor.bins[row]!))
      const leftClasses = classes.filter((_, i) => isLeft[i])
      const rightClasses = classes.filter((_, i) => !isLeft[i])
      if (leftClasses.length < leaf || rightClasses.length < leaf) continue
      const byChance = predictor.gainPerBin * Math.max(0, order.length - 2)
      const gain = logLikelihood(leftClasses) + logLikelihood(rightClasses) - logLikelihood(classes) - byChance
      if (gain > (best?.gain ?? minGain)) best = { feature, gain, leftRows: rows.filter((_, i) => isLeft[i]) }
    }
  })
  return best
}

/** Log-likelihood of classes under their own shares: sum of t ln(t / n). */
function logLikelihood(classes: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const c of classes) counts.set(c, (counts.get(c) ?? 0) + 1)
  return [...counts.values()].reduce((sum, t) => sum + t * Math.log(t / classes.length), 0)
}

function mostFrequent(classes: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const c of classes) counts.set(c, (counts.get(c) ?? 0) + 1)
  return [...counts].reduce((best, entry) =>
    entry[1] > best[1] || (entry[1] === best[1] && entry[0] < best[0]) ? entry : best,
  )[0]
}
