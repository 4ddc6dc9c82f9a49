import { words } from '../../base/language/language.ts'
import type { NearestMixRecord } from '../../records/manifest/scenarios.ts'
import { conditionsLines } from './conditions-lines.ts'
import { pointsText } from './share-text.ts'

/** `The nearest mix with all rows moves shares by 28 points:` */
export function nearestMixWords({ moved_share: moved }: NearestMixRecord): string {
  if (moved === 0) return words().answers.nearestConditions
  return words().answers.nearestMix(pointsText(moved).slice(1))
}

/** What takes the place of a scenario's own conditions of these columns, as a study has it; to be pasted. */
export const nearestMixLines = ({ conditions }: NearestMixRecord): readonly string[] => conditionsLines(conditions)
