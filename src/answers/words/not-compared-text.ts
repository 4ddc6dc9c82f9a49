import type { ManifestComparison } from '../../records/manifest/comparisons.ts'

const AS_WORDS = {
  shares: '',
  means: ' mean',
  quantiles: ' quantiles',
  segments: ' segments',
  where: ' under where',
} as const

/** The names of what a comparison could not compare. Not escaped. */
export const notComparedTexts = ({ not_compared: absent = [] }: Pick<ManifestComparison, 'not_compared'>): string[] =>
  absent.map(({ column, level, as }) =>
    level === undefined ? `${column}${AS_WORDS[as]}` : `${column} ${level}${as === 'where' ? AS_WORDS.where : ''}`,
  )
