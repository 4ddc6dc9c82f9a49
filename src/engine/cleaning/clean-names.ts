import { cutToBytes, MAX_NAME_BYTES } from './size-bounds.ts'

/** Header and option together, or another form of the same letters, may be longer than a header; there is room for a suffix. */
const LONGEST = MAX_NAME_BYTES - 24

/**
 * Names for the cleaned table: Unicode letters, digits and dots.
 *
 * Every run of other characters, underscores included, becomes one dot; outer dots are trimmed; a leading digit gets an `X`; what
 * has nothing left becomes `column.N` (N from 1, the place in the table); names that fall together get `.1`, `.2` in order. No name is longer than 1 KiB.
 */
export function cleanNames(names: readonly string[]): string[] {
  return makeUnique(names.map((name, i) => cleanName(name) || `column.${i + 1}`))
}

function cleanName(name: string): string {
  const plain = name
    .normalize('NFC')
    // Marks belong to the letters they follow: without them names in Indic scripts would fall apart.
    .replace(/[^\p{L}\p{M}\p{Nd}.]+/gu, '.')
    .replace(/^\.+|\.+$/g, '')
  return cutToBytes(/^\p{Nd}/u.test(plain) ? `X${plain}` : plain, LONGEST)
}

/** Leaves the first of equal names as it is; a suffix never makes a name that another column has. */
export function makeUnique(names: readonly string[]): string[] {
  const all = new Set(names)
  const used = new Set<string>()
  return names.map((name) => {
    let unique = name
    for (let n = 1; used.has(unique) || (unique !== name && all.has(unique)); n++) unique = `${name}.${n}`
    used.add(unique)
    return unique
  })
}
