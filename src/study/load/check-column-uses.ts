import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic, SourceRange } from '../diagnostics/diagnostic.ts'
import {
  childItems,
  childMap,
  childName,
  type Located,
  type LocatedMap,
  type LocatedNode,
  nameText,
} from '../yaml/located-node.ts'
import { weightOf } from './read-declarations.ts'

/** A place where a declaration names a column of the file. */
interface Use extends Located<string> {
  /** Ends "column x is dropped and …". */
  readonly as: string
}

const FOR_BANDS = 'has bands'
const FOR_MISSING = 'has missing values'
const FOR_TYPE = 'has a type'
const FOR_WORDS = 'has other words for values'
/** What a band of a dropped column may use. */
const SERVES_BANDS: ReadonlySet<string> = new Set([FOR_MISSING, FOR_TYPE, FOR_WORDS])

/** Faults of columns that several declarations of a dataset name: two names, dropped and used, two types, a band's name taken. */
export function checkColumnUses(dataset: LocatedNode): Diagnostic[] {
  const columns = new DeclaredColumns(dataset)
  return [...columns.named(), ...columns.dropped(), ...columns.weighted(), ...columns.typed(), ...columns.banded()]
}

class DeclaredColumns {
  readonly #columns: LocatedMap | undefined
  readonly #weight: Located<string> | undefined
  readonly #drop: ReadonlyMap<string, SourceRange>
  readonly #types: LocatedMap | undefined
  readonly #levels: LocatedMap | undefined
  readonly #bands: LocatedMap | undefined
  readonly #dates: LocatedMap | undefined
  readonly #uses: readonly Use[]

  constructor(dataset: LocatedNode) {
    this.#columns = childMap(dataset, 'columns')
    this.#weight = weightOf(dataset)
    this.#drop = new Map(childItems(dataset, 'drop').map((item) => [nameText(item), item.range]))
    this.#types = childMap(dataset, 'types')
    this.#levels = childMap(dataset, 'levels')
    this.#bands = childMap(dataset, 'bands')
    this.#dates = childMap(dataset, 'dates')
    const keys = (map: LocatedMap | undefined, as: string): Use[] =>
      [...(map?.entries.values() ?? [])].map(({ key, keyRange }) => ({ value: key, range: keyRange, as }))
    this.#uses = [
      ...(this.#weight === undefined ? [] : [{ ...this.#weight, as: 'is the weight' }]),
      ...keys(childMap(dataset, 'recode'), FOR_WORDS),
      ...keys(childMap(dataset, 'missing'), FOR_MISSING).filter(({ value }) => value !== '*'),
      ...keys(this.#types, FOR_TYPE),
      ...keys(this.#levels, 'has levels'),
      ...this.#sources().map((source) => ({ ...source, as: FOR_BANDS })),
      ...keys(this.#dates, 'has a date format'),
    ]
  }

  /** One column has one name. */
  named(): Diagnostic[] {
    const first = new Map<string, SourceRange>()
    return [...(this.#columns?.entries.values() ?? [])].flatMap(({ key, keyRange, value }) => {
      const source = nameText(value)
      const before = first.get(source)
      if (before === undefined) {
        first.set(source, keyRange)
        return []
      }
      return [
        diagnose('S1402', {
          summary: `column "${source}" of the file gets a second name, "${key}"`,
          range: keyRange,
          detail: 'remove one of them',
          related: [{ message: 'the first one', range: before }],
        }),
      ]
    })
  }

  /** A band can be all that is sent of a column: its missing values and type then serve the band. */
  dropped(): Diagnostic[] {
    const banded = new Set(this.#sources().map(({ value }) => value))
    return this.#uses.flatMap(({ value, range, as }) => {
      const place = this.#drop.get(value)
      if (place === undefined || as === FOR_BANDS) return []
      if (banded.has(value) && SERVES_BANDS.has(as)) return []
      return [
        diagnose('S1401', {
          summary: `column "${value}" ${as}, and it is dropped`,
          range,
          detail: 'remove one of the two',
          related: [{ message: 'dropped here', range: place }],
        }),
      ]
    })
  }

  weighted(): Diagnostic[] {
    const weight = this.#weight
    if (weight === undefined) return []
    const uses = this.#uses.filter(({ value, as }) => value === weight.value && /levels|bands/.test(as))
    return uses.map(({ value, range, as }) =>
      diagnose('S1405', {
        summary: `column "${value}" ${as}, and it is the weight`,
        range,
        detail: 'a weight says how many people a row stands for; remove one of the two',
        related: [{ message: 'the weight', range: weight.range }],
      }),
    )
  }

  typed(): Diagnostic[] {
    const found: Diagnostic[] = []
    for (const { key, value } of this.#types?.entries.values() ?? []) {
      const type = nameText(value)
      const conflicts = this.#typesNeeded(key).filter(
        // Listed levels may have no order: then their list says which there are.
        ([needed]) => needed !== type && !(needed === 'ordinal' && type === 'categorical'),
      )
      for (const [needed, because, place] of conflicts)
        found.push(
          diagnose('S1403', {
            summary: `column "${key}" is ${type}, and ${because}`,
            range: value.range,
            detail: `write ${needed}, or remove one of the two`,
            suggestions: [needed],
            related: [{ message: because, range: place }],
          }),
        )
    }
    return found
  }

  #typesNeeded(column: string): [type: string, because: string, place: SourceRange][] {
    const levels = this.#levels?.entries.get(column)
    const date = this.#dates?.entries.get(column)
    const band = this.#sources().find(({ value }) => value === column)
    return [
      ...(levels ? [['ordinal', 'it has levels in order', levels.keyRange] as [string, string, SourceRange]] : []),
      ...(date ? [['datetime', 'it has a date format', date.keyRange] as [string, string, SourceRange]] : []),
      ...(band ? [['numeric', 'it is cut into bands', band.range] as [string, string, SourceRange]] : []),
      ...(this.#weight?.value === column
        ? [['numeric', 'it is the weight', this.#weight.range] as [string, string, SourceRange]]
        : []),
    ]
  }

  banded(): Diagnostic[] {
    const others = this.#uses.filter(({ as }) => as !== FOR_BANDS)
    const taken = new Map(others.map(({ value, range, as }) => [value, { range, as }]))
    const found: Diagnostic[] = []
    for (const { key, keyRange, value } of this.#bands?.entries.values() ?? []) {
      const source = childName(value, 'of')!
      const dropped = this.#drop.get(key)
      const own = source.value === key ? { range: source.range, as: FOR_BANDS } : undefined
      const column = taken.get(key) ?? own ?? (dropped && { range: dropped, as: 'is dropped' })
      if (column !== undefined)
        found.push(
          diagnose('S1407', {
            summary: `band "${key}" has the name of a column, which ${column.as}`,
            range: keyRange,
            detail: `give the band a name of its own, for example ${key}.band`,
            related: [{ message: 'the column', range: column.range }],
          }),
        )
      const other = this.#bands?.entries.get(source.value)
      if (other !== undefined && source.value !== key)
        found.push(
          diagnose('S1407', {
            summary: `band "${key}" is made from "${source.value}", which is a band`,
            range: source.range,
            detail: `name the column of the file: of: ${childName(other.value, 'of')!.value}`,
            suggestions: [childName(other.value, 'of')!.value],
            related: [{ message: 'the other band', range: other.keyRange }],
          }),
        )
    }
    return found
  }

  /** The columns that bands are made from. */
  #sources(): Located<string>[] {
    return [...(this.#bands?.entries.values() ?? [])].flatMap(({ value }) => childName(value, 'of') ?? [])
  }
}
