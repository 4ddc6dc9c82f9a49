/** The numbers that levels become in an SPSS file. */

/** What is known of a column's levels beside the rows. */
export interface KnownLevels {
  /** In the sequence in which codes count them. */
  readonly levels: readonly string[]
  /** Codes of the seed file by label. */
  readonly seedCodes: ReadonlyMap<string, number> | null
}

export interface CodedLevels {
  /** Level → code; no two levels share one. */
  readonly codes: ReadonlyMap<string, number>
  /** Whether codes need labels: they do not where a level is its own number. */
  readonly isLabelled: boolean
}

/**
 * Codes levels. Where the seed file has codes for them, they keep these; a level that is a number is its own code, and
 * others get the next free number. Levels that all are whole numbers are their own codes. Others count from 1.
 *
 * @param found levels of the rows, which may have some that are not known.
 */
export function codeLevels({ levels, seedCodes }: KnownLevels, found: readonly string[]): CodedLevels {
  const all = [...new Set([...levels, ...found])]
  if (seedCodes !== null && all.some((level) => seedCodes.has(level))) {
    return { codes: codesOfSeed(all, seedCodes), isLabelled: true }
  }
  const numbers = all.map(ownNumber)
  if (all.length > 0 && numbers.every((number) => number !== null)) {
    return { codes: new Map(all.map((level, i) => [level, numbers[i] as number])), isLabelled: false }
  }
  return { codes: new Map(all.map((level, i) => [level, i + 1])), isLabelled: true }
}

function codesOfSeed(all: readonly string[], seedCodes: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const codes = new Map<string, number>()
  const taken = new Set<number>()
  const give = (level: string, code: number | null | undefined): void => {
    if (code == null || codes.has(level) || taken.has(code)) return
    codes.set(level, code)
    taken.add(code)
  }
  for (const level of all) give(level, seedCodes.get(level))
  for (const level of all) give(level, ownNumber(level))
  // New codes follow all codes of the seed file, also the codes that no row has.
  let next = 0
  for (const code of [...seedCodes.values(), ...taken]) next = Math.max(next, Math.floor(code))
  for (const level of all) if (!codes.has(level)) give(level, ++next)
  return new Map(all.map((level) => [level, codes.get(level)!]))
}

/** The number that a level writes, if that is the only way to write it; else null. */
function ownNumber(level: string): number | null {
  const number = Number(level)
  return Number.isSafeInteger(number) && String(number) === level ? number : null
}
