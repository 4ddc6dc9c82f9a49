import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic, SourceRange } from '../diagnostics/diagnostic.ts'
import {
  childItems,
  childMap,
  type Located,
  type LocatedMap,
  type LocatedNode,
  nameText,
} from '../yaml/located-node.ts'
import { type MadeColumn, madeColumns, weightOf } from './read-declarations.ts'

/** A place where a declaration names a column of the file. */
interface Use extends Located<string> {
  /** Ends "column x is dropped and …". */
  readonly as: string
}

/** What a column has of which another one is made. */
const FOR_MADE = { band: 'has bands', net: 'has a net', score: 'has a net promoter score' } as const
const ARE_MADE: ReadonlySet<string> = new Set(Object.values(FOR_MADE))
const FOR_LEVELS = 'has levels'
const FOR_MISSING = 'has missing values'
const FOR_TYPE = 'has a type'
const FOR_WORDS = 'has other words for values'
/** What serves a column that is made of a dropped one. */
const SERVES_MADE: ReadonlySet<string> = new Set([FOR_MISSING, FOR_TYPE, FOR_WORDS])

/** Faults of columns that several declarations of a dataset name: two names, dropped and used, two types, the name of a band or net taken. */
export function checkColumnUses(dataset: LocatedNode): Diagnostic[] {
  const columns = new DeclaredColumns(dataset)
  return [...columns.named(), ...columns.dropped(), ...columns.weighted(), ...columns.typed(), ...columns.made()]
}

class DeclaredColumns {
  readonly #columns: LocatedMap | undefined
  readonly #weight: Located<string> | undefined
  readonly #drop: ReadonlyMap<string, SourceRange>
  readonly #types: LocatedMap | undefined
  readonly #levels: LocatedMap | undefined
  readonly #made: readonly MadeColumn[]
  readonly #dates: LocatedMap | undefined
  readonly #uses: readonly Use[]

  constructor(dataset: LocatedNode) {
    this.#columns = childMap(dataset, 'columns')
    this.#weight = weightOf(dataset)
    this.#drop = new Map(childItems(dataset, 'drop').map((item) => [nameText(item), item.range]))
    this.#types = childMap(dataset, 'types')
    this.#levels = childMap(dataset, 'levels')
    this.#made = madeColumns(dataset)
    this.#dates = childMap(dataset, 'dates')
    const keys = (map: LocatedMap | undefined, as: string): Use[] =>
      [...(map?.entries.values() ?? [])].map(({ key, keyRange }) => ({ value: key, range: keyRange, as }))
    this.#uses = [
      ...(this.#weight === undefined ? [] : [{ ...this.#weight, as: 'is the weight' }]),
      ...keys(childMap(dataset, 'recode'), FOR_WORDS),
      ...keys(childMap(dataset, 'missing'), FOR_MISSING).filter(({ value }) => value !== '*'),
      ...keys(this.#types, FOR_TYPE),
      ...keys(this.#levels, FOR_LEVELS),
      ...this.#made.map(({ of, word }) => ({ ...of, as: FOR_MADE[word] })),
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

  /** A band or net can be all that is sent of a column: its missing values and type then serve it. */
  dropped(): Diagnostic[] {
    const sources = new Set(this.#made.map(({ of }) => of.value))
    return this.#uses.flatMap(({ value, range, as }) => {
      const place = this.#drop.get(value)
      if (place === undefined || ARE_MADE.has(as)) return []
      if (sources.has(value) && SERVES_MADE.has(as)) return []
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
    const uses = this.#uses.filter(({ value, as }) => value === weight.value && (as === FOR_LEVELS || ARE_MADE.has(as)))
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
    const band = this.#made.find(({ word, of }) => word === 'band' && of.value === column)?.of
    return [
      ...(levels ? [['ordinal', 'it has levels in order', levels.keyRange] as [string, string, SourceRange]] : []),
      ...(date ? [['datetime', 'it has a date format', date.keyRange] as [string, string, SourceRange]] : []),
      ...(band ? [['numeric', 'it is cut into bands', band.range] as [string, string, SourceRange]] : []),
      ...(this.#weight?.value === column
        ? [['numeric', 'it is the weight', this.#weight.range] as [string, string, SourceRange]]
        : []),
    ]
  }

  made(): Diagnostic[] {
    const others = this.#uses.filter(({ as }) => !ARE_MADE.has(as))
    const taken = new Map(others.map(({ value, range, as }) => [value, { range, as }]))
    const found: Diagnostic[] = []
    for (const [i, { word, name, nameRange, of }] of this.#made.entries()) {
      const dropped = this.#drop.get(name)
      const own = of.value === name ? { range: of.range, as: FOR_MADE[word] } : undefined
      const column = taken.get(name) ?? own ?? (dropped && { range: dropped, as: 'is dropped' })
      const twin = this.#made.slice(0, i).find((made) => made.name === name)
      if (column !== undefined)
        found.push(
          diagnose('S1407', {
            summary: `${word} "${name}" has the name of a column, which ${column.as}`,
            range: nameRange,
            detail:
              word === 'score'
                ? 'give that column another name'
                : `give the ${word} a name of its own, for example ${name}.${word}`,
            related: [{ message: 'the column', range: column.range }],
          }),
        )
      else if (twin !== undefined)
        found.push(
          diagnose('S1407', {
            summary: `${word} "${name}" has the name of a ${twin.word}`,
            range: nameRange,
            detail: 'give one of them another name',
            related: [{ message: `the ${twin.word}`, range: twin.nameRange }],
          }),
        )
      const other = this.#made.find((made) => made.name === of.value)
      if (other !== undefined && of.value !== name)
        found.push(
          diagnose('S1407', {
            summary: `${word} "${name}" is made from "${of.value}", which is a ${other.word}`,
            range: of.range,
            detail: `name the column of the file: of: ${other.of.value}`,
            suggestions: [other.of.value],
            related: [
              { message: other.word === word ? `the other ${word}` : `the ${other.word}`, range: other.nameRange },
            ],
          }),
        )
    }
    return found
  }
}
