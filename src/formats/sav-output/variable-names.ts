import { cutToBytes } from '../../base/text/fit-text.ts'

/** Bytes of UTF-8. */
const MAX_NAME_BYTES = 64

/** Words of SPSS's language that no variable can be called. */
const RESERVED = new Set(['all', 'and', 'by', 'eq', 'ge', 'gt', 'le', 'lt', 'ne', 'not', 'or', 'to', 'with'])

/**
 * Names that SPSS accepts, one for every column: letters, digits and `_ . $ # @`, beginning with a letter or `@`, not
 * ending with a full stop or an underscore, at most 64 bytes, unique without regard to case, no word of its language.
 * A name that SPSS accepts stays as it is. Equal columns give equal names.
 */
export function variableNames(columns: readonly string[]): string[] {
  const taken = new Set<string>()
  return columns.map((column) => {
    const name = acceptedName(column)
    for (let n = 1; ; n++) {
      const suffix = n === 1 ? '' : `_${n}`
      const tried = cutName(name, MAX_NAME_BYTES - suffix.length) + suffix
      const key = tried.toLowerCase()
      if (taken.has(key) || RESERVED.has(key)) continue
      taken.add(key)
      return tried
    }
  })
}

function acceptedName(column: string): string {
  const name = column
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{Nd}_.$#@]+/gu, '_')
    .replace(/[._]+$/, '')
  // `#` and `$` begin names of temporary variables and of SPSS's own.
  return /^[\p{L}@]/u.test(name) ? name : `V_${name.replace(/^_+/, '')}`.replace(/[._]+$/, '')
}

const cutName = (name: string, bytes: number): string => cutToBytes(name, bytes).replace(/[._]+$/, '')
