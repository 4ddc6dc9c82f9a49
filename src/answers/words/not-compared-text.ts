import { words } from '../../base/language/language.ts'
import type { ManifestComparison } from '../../records/manifest/comparisons.ts'

/** The names of what a comparison could not compare. Not escaped. */
export const notComparedTexts = ({ not_compared: absent = [] }: Pick<ManifestComparison, 'not_compared'>): string[] =>
  absent.map(({ column, level, as }) => {
    const { notCompared: of } = words().answers
    return level === undefined ? `${column}${of[as]}` : `${column} ${level}${as === 'where' ? of.where : ''}`
  })
