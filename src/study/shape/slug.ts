import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic, SourceRange } from '../diagnostics/diagnostic.ts'

/** Longest slug, as in the schema. */
export const MAX_SLUG_LENGTH = 40

const SLUG = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|$)/

/** Why `text` is not a slug. The schema has already refused it. */
export function slugFault(text: string, range: SourceRange): Diagnostic {
  if (DEVICE_NAME.test(text)) {
    return diagnose('S3002', { summary: `"${text}" is a device name on Windows`, range })
  }
  if (text.length > MAX_SLUG_LENGTH) {
    return diagnose('S3001', {
      summary: `"${text}" has ${text.length} characters, more than the ${MAX_SLUG_LENGTH} that a name may have`,
      range,
    })
  }
  const likely = likelySlug(text)
  return diagnose('S3001', {
    summary: `"${text}" cannot be a name here`,
    range,
    detail: 'use lower-case letters and digits, parts joined by single ".", "-" or "_"',
    suggestions: likely === null || likely === text ? [] : [likely],
  })
}

/** The slug nearest to any text; null when no part of it can be one. Longer results are not cut. */
export function likelySlug(text: string): string | null {
  const likely = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/([._-])[^a-z0-9]+|[^a-z0-9._-]+([._-])?/g, (_, before, after) => before ?? after ?? '-')
    .replaceAll(/^[._-]+|[._-]+$/g, '')
  return SLUG.test(likely) && !DEVICE_NAME.test(likely) ? likely : null
}
