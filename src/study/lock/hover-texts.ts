import type { CleanedColumn } from '../live-schema/cleaned-schema.ts'
import { naturalText } from '../live-schema/natural-text.ts'
import type { StudyLock } from './lock.ts'

/** JSON Schema as data. */
export type Json = { readonly [key: string]: unknown }

/** What an editor shows beside columns and levels: how often the seed file has them. */
export class HoverTexts {
  readonly #known: ReadonlyMap<string, CleanedColumn>
  readonly #showsLevels: boolean
  /** Column → level → share. */
  readonly #shares = new Map<string, ReadonlyMap<string, number | null | undefined>>()

  /** @param lock a lock with digests of levels keeps their names secret, and so their shares. */
  constructor(known: ReadonlyMap<string, CleanedColumn>, lock: StudyLock) {
    this.#known = known
    this.#showsLevels = lock.levelSalt === null
  }

  ofColumn(name: string, schema: Json): Json {
    const column = this.#known.get(name)
    if (column === undefined || (column.levels !== undefined && !this.#showsLevels)) return schema
    return described(schema, `In the data: ${naturalText(column)}`)
  }

  ofLevel(name: string, level: string): Json {
    const schema = { $ref: '#/definitions/share' }
    const share = this.#showsLevels ? this.#sharesOf(name).get(level) : null
    return share == null ? schema : described(schema, `In the data: ${share}`)
  }

  #sharesOf(name: string): ReadonlyMap<string, number | null | undefined> {
    let shares = this.#shares.get(name)
    if (shares === undefined) {
      const { levels = [], levelShares } = this.#known.get(name) ?? {}
      shares = new Map(levels.map((level, i) => [level, levelShares?.[i]]))
      this.#shares.set(name, shares)
    }
    return shares
  }
}

/** Keys beside a reference do not count. */
function described(schema: Json, description: string): Json {
  return '$ref' in schema ? { description, allOf: [schema] } : { ...schema, description }
}
