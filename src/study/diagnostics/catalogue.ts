import { CONDITION_CODES } from './catalogue-conditions.ts'
import { DECLARATION_CODES } from './catalogue-declarations.ts'
import { EVALUATION_CODES } from './catalogue-evaluation.ts'
import { FILE_CODES } from './catalogue-file.ts'
import { LOCK_CODES } from './catalogue-lock.ts'
import { MATRIX_CODES } from './catalogue-matrix.ts'
import { SHAPE_CODES } from './catalogue-shape.ts'
import type { CatalogueEntry, Severity } from './diagnostic.ts'

const TEXTS = {
  ...FILE_CODES,
  ...SHAPE_CODES,
  ...DECLARATION_CODES,
  ...CONDITION_CODES,
  ...LOCK_CODES,
  ...MATRIX_CODES,
  ...EVALUATION_CODES,
} as const

export type DiagnosticCode = keyof typeof TEXTS

const SEVERITIES: Readonly<Record<string, Severity>> = { S: 'error', W: 'warning', N: 'note' }

/**
 * Every diagnostic of study files. The first letter is the severity (S error, W warning, N note). The digits are the
 * subject: 10 text, 11 shape, 12 numbers, 13 datasets, 14 declarations about their files, 20 conditions, 21 conditions against the cleaned schema, 22
 * drift, 23 the lock file, 30 and 31 names, 41 and 42 matrix, 43 comparisons, 44 their models, 45 the budget, 51 gates.
 */
export const DIAGNOSTIC_CATALOGUE = Object.fromEntries(
  Object.entries(TEXTS).map(([code, text]) => [code, { severity: SEVERITIES[code.charAt(0)], ...text }]),
) as Readonly<Record<DiagnosticCode, CatalogueEntry>>
