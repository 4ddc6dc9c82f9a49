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
import { columnsInRules } from './check-rules.ts'
import { type MadeColumn, madeColumns, weightOf } from './read-declarations.ts'

/** A place where a declaration names a column of the file. */
interface Use extends Located<string> {
  /** Ends "column x is dropped and …". */
  readonly as: string
}

/** What a column has of which another one is made. */
const FOR_MADE = {
  bands: 'has bands',
  nets: 'has a net',
  nps: 'has a net promoter score',
  scores: 'is an item of a score',
  differences: 'is part of a difference',
} as const satisfies Record<MadeColumn['key'], string>
/** What a column that is made is called. */
const WORDS = {
  bands: 'band',
  nets: 'net',
  nps: 'score',
  scores: 'score',
  differences: 'difference',
} as const satisfies Record<MadeColumn['key'], string>
const ARE_MADE: ReadonlySet<string> = new Set(Object.values(FOR_MADE))
const FOR_LEVELS = 'has levels'
const FOR_MISSING = 'has missing values'
const FOR_TYPE = 'has a type'
const FOR_RULE = 'is in a rule'
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
      ...this.#made.flatMap(({ of, key }) => of.map((source) => ({ ...source, as: FOR_MADE[key] }))),
      ...keys(this.#dates, 'has a date format'),
      ...columnsInRules(dataset).map((column) => ({ ...column, as: FOR_RULE })),
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
    const sources = new Set(this.#made.flatMap(({ of }) => of.map(({ value }) => value)))
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
    const uses = this.#uses.filter(
      ({ value, as }) => value === weight.value && (as === FOR_LEVELS || as === FOR_RULE || ARE_MADE.has(as)),
    )
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
    const band = this.#made.find(({ key, of }) => key === 'bands' && of[0]?.value === column)?.of[0]
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
    const others = this.#uses.filter(({ as }) => as !== FOR_RULE && !ARE_MADE.has(as))
    const taken = new Map(others.map(({ value, range, as }) => [value, { range, as }]))
    return this.#made.flatMap((made, i) => [...this.#nameFault(made, i, taken), ...this.#sourceFaults(made)])
  }

  #nameFault(made: MadeColumn, i: number, taken: ReadonlyMap<string, Pick<Use, 'range' | 'as'>>): Diagnostic[] {
    const { key, name, nameRange, of } = made
    const word = WORDS[key]
    const dropped = this.#drop.get(name)
    const itself = of.find(({ value }) => value === name)
    const own = itself && { range: itself.range, as: FOR_MADE[key] }
    const column = taken.get(name) ?? own ?? (dropped && { range: dropped, as: 'is dropped' })
    if (column !== undefined)
      return [
        diagnose('S1407', {
          summary: `${word} "${name}" has the name of a column, which ${column.as}`,
          range: nameRange,
          detail:
            key === 'nps'
              ? 'give that column another name'
              : `give the ${word} a name of its own, for example ${name}.${word}`,
          related: [{ message: 'the column', range: column.range }],
        }),
      ]
    const twin = this.#made.slice(0, i).find((other) => other.name === name)
    if (twin === undefined) return []
    return [
      diagnose('S1407', {
        summary: `${word} "${name}" has the name of a ${WORDS[twin.key]}`,
        range: nameRange,
        detail: 'give one of them another name',
        related: [{ message: `the ${WORDS[twin.key]}`, range: twin.nameRange }],
      }),
    ]
  }

  /** What is made is made of columns of the file; bands are also made of scores and differences, which are numbers. */
  #sourceFaults({ key, name, of }: MadeColumn): Diagnostic[] {
    const word = WORDS[key]
    const seen = new Map<string, SourceRange>()
    return of.flatMap(({ value, range }) => {
      const before = seen.get(value)
      if (before !== undefined)
        return [
          diagnose('S1402', {
            summary: `${word} "${name}" has column "${value}" twice`,
            range,
            detail: 'remove one of them',
            related: [{ message: 'the first one', range: before }],
          }),
        ]
      seen.set(value, range)
      const other = this.#made.find((made) => made.name === value)
      if (other === undefined || value === name) return []
      if (key === 'bands' && isOfNumbers(other)) return []
      const same = WORDS[other.key] === word
      const sources = other.of.map((source) => source.value)
      return [
        diagnose('S1407', {
          summary: `${word} "${name}" is made from "${value}", which is a ${WORDS[other.key]}`,
          range,
          detail: isOfNumbers(other)
            ? `name columns of the file; "${value}" is made of ${sources.join(', ')}`
            : `name the column of the file: of: ${sources[0]}`,
          suggestions: isOfNumbers(other) ? [] : sources,
          related: [{ message: same ? `the other ${word}` : `the ${WORDS[other.key]}`, range: other.nameRange }],
        }),
      ]
    })
  }
}

const isOfNumbers = ({ key }: MadeColumn): boolean => key === 'scores' || key === 'differences'
