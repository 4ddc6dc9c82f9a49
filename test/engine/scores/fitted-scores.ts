import type { Score } from '../../../src/engine/model/additive-score.ts'
import type { ScoreFitting } from '../../../src/engine/scores/fit-scores.ts'

/** The scores of a target, as a tree gets them. */
export function fittedScores(fitting: ScoreFitting, target: number, candidates: Int32Array): Score[] {
  return fitting.scores(target, fitting.regress(target, candidates))
}
