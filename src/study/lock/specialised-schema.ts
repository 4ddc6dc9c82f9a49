import { mayHaveLevels, mayHaveNumbers } from '../../base/column-kind.ts'
import type { CleanedColumn } from '../live-schema/cleaned-schema.ts'
import { HoverTexts, type Json } from './hover-texts.ts'
import type { LockedColumn, StudyLock } from './lock.ts'

/**
 * The names that a study may use, over all datasets of the lock: a place in the file does not show which dataset
 * applies.
 */
interface Names {
  readonly columns: readonly string[]
  /** Columns that take shares, with their levels; null when those are unknown. */
  readonly shares: ReadonlyMap<string, readonly string[] | null>
  /** Columns that take ranges and means. */
  readonly ranges: readonly string[]
}

/**
 * The published schema of studies (`study`) narrowed to the columns and levels of a lock, for editors: draft-07,
 * completes real names and refuses misspelt ones. Columns whose levels are unknown, or stored as digests, take any
 * level. `whatif validate` checks more, because it knows which dataset a scenario uses.
 *
 * @param known columns as a service reported them: their shares and quantiles become descriptions, which editors show.
 */
export function specialisedSchema(
  study: Json,
  lock: StudyLock,
  lockFile: string,
  known: ReadonlyMap<string, CleanedColumn> = new Map(),
): Json {
  const names = namesOf(lock)
  const hover = new HoverTexts(known, lock)
  const definitions = study.definitions as { readonly [name: string]: Json }
  const { $id: _published, ...top } = study
  return {
    ...top,
    title: `${study.title as string}, with the columns and levels of ${lockFile}`,
    definitions: {
      ...definitions,
      columnName: { ...definitions.columnName, ...anyOf(names.columns) },
      shares: {
        ...definitions.shares,
        propertyNames: anyOf([...names.shares.keys()]),
        ...members(
          [...names.shares].map(([column, levels]) => [
            column,
            hover.ofColumn(
              column,
              levelsSchema(definitions.levels!, levels, (level) => hover.ofLevel(column, level)),
            ),
          ]),
        ),
      },
      ranges: {
        ...definitions.ranges,
        propertyNames: anyOf(names.ranges),
        ...members(names.ranges.map((column) => [column, hover.ofColumn(column, { $ref: '#/definitions/range' })])),
      },
      means: {
        ...definitions.means,
        propertyNames: anyOf(names.ranges),
        ...members(names.ranges.map((column) => [column, hover.ofColumn(column, { $ref: '#/definitions/mean' })])),
      },
      cellTable: cellTableSchema(definitions.cellTable!, names),
      cellItem: cellItemSchema(definitions.cellItem!, names),
      gates: gatesSchema(definitions.gates!, names),
      axis: axisSchema(definitions.axis!, names),
      comparison: comparisonSchema(definitions.comparison!, names),
      backtest: backtestSchema(definitions.backtest!, names),
      comparisonGates: comparisonGatesSchema(definitions.comparisonGates!, names),
    },
  }
}

function cellTableSchema(published: Json, { shares }: Names): Json {
  const properties = published.properties as { readonly [key: string]: Json }
  const of = { ...properties.of, items: anyOf([...shares.keys()]) }
  return { ...published, properties: { ...properties, of } }
}

/** A place in a cell does not show which column it is of. */
function cellItemSchema({ type: _, ...published }: Json, { shares }: Names): Json {
  const levels = [...shares.values()]
  if (levels.includes(null)) return { ...published, type: ['string', 'number'] }
  return { ...published, anyOf: [{ type: 'number' }, anyOf(sorted(levels.flatMap((own) => own ?? [])))] }
}

function namesOf(lock: StudyLock): Names {
  const all = [...lock.datasets.values()].flatMap((dataset) => [...dataset.columns])
  const levels = new Map<string, Set<string> | null>()
  for (const [name, column] of all) {
    if (!mayHaveLevels(column)) continue
    const known = knownLevels(column, lock.levelSalt)
    const before = levels.get(name)
    // A dataset without level names allows any level.
    if (known === null || before === null) levels.set(name, null)
    else levels.set(name, new Set([...(before ?? []), ...known]))
  }
  return {
    columns: sorted(all.map(([name]) => name)),
    shares: new Map(sorted(levels.keys()).map((name) => [name, levels.get(name) ? sorted(levels.get(name)!) : null])),
    ranges: sorted(all.filter(([, column]) => mayHaveNumbers(column)).map(([name]) => name)),
  }
}

function knownLevels({ levels }: LockedColumn, levelSalt: string | null): readonly string[] | null {
  return levelSalt === null ? levels : null
}

function levelsSchema(published: Json, levels: readonly string[] | null, shareOf: (level: string) => Json): Json {
  if (levels === null) return { $ref: '#/definitions/levels' }
  return {
    ...published,
    propertyNames: anyOf(levels),
    ...members(levels.map((level) => [level, shareOf(level)])),
  }
}

/** A closed map with these keys. */
function members(entries: readonly (readonly [key: string, schema: Json])[]): Json {
  const isOrdinaryKey = ([key]: readonly [string, Json]) => key !== '__proto__'
  return {
    // Entries, not assignments: a key may be named like a property of every object.
    properties: Object.fromEntries(entries.filter(isOrdinaryKey)),
    // Validators ignore a property of this name, but not a pattern that only this name matches.
    patternProperties: Object.fromEntries(
      entries.filter((e) => !isOrdinaryKey(e)).map(([, schema]) => ['^__proto__$', schema]),
    ),
    additionalProperties: false,
  }
}

/** One of these names; an empty list of alternatives is no valid schema. */
const anyOf = (names: readonly string[]): Json => (names.length > 0 ? { enum: names } : { not: {} })

function gatesSchema(published: Json, { shares, ranges }: Names): Json {
  const properties = published.properties as { readonly [key: string]: Json }
  const narrowed = (gate: Json, names: readonly string[], tolerance: string): Json => {
    const inner = gate.properties as { readonly [key: string]: Json }
    const columns = {
      ...inner.columns,
      propertyNames: anyOf(names),
      ...members(names.map((column) => [column, { $ref: `#/definitions/${tolerance}` }])),
    }
    return { ...gate, properties: { ...inner, columns } }
  }
  return {
    ...published,
    properties: {
      ...properties,
      shares: narrowed(properties.shares!, [...shares.keys()], 'tolerance'),
      means: narrowed(properties.means!, ranges, 'meanTolerance'),
    },
  }
}

/** Paths of `set`: the second item is a column, the third one of its levels. */
function axisSchema(published: Json, { shares, ranges }: Names): Json {
  const properties = published.properties as { readonly [key: string]: Json }
  const starts = (...items: Json[]): Json => ({ items, minItems: items.length })
  const allOf = [
    when(starts({ const: 'shares' }), { items: [{}, anyOf([...shares.keys()])] }),
    when(starts({ const: 'ranges' }), { items: [{}, anyOf(ranges)] }),
    when(starts({ const: 'means' }), { items: [{}, anyOf(ranges)] }),
    ...[...shares].flatMap(([column, levels]) =>
      levels === null ? [] : [when(starts({ const: 'shares' }, { const: column }), { items: [{}, {}, anyOf(levels)] })],
    ),
  ]
  return { ...published, properties: { ...properties, set: { ...properties.set, allOf } } }
}

function comparisonSchema(published: Json, { shares, ranges }: Names): Json {
  const properties = published.properties as { readonly [key: string]: Json }
  const list = (key: string, names: readonly string[]): Json => ({ ...properties[key], items: anyOf(names) })
  return {
    ...published,
    properties: {
      ...properties,
      shares: list('shares', [...shares.keys()]),
      means: list('means', ranges),
      quantiles: quantilesSchema(properties.quantiles as Json, ranges),
      where: filterSchema(properties.where as Json, { shares, ranges }),
      by: { description: properties.by!.description, ...anyOf([...shares.keys()]) },
    },
  }
}

function backtestSchema(published: Json, { shares, ranges }: Names): Json {
  const properties = published.properties as { readonly [key: string]: Json }
  const list = (key: string, names: readonly string[]): Json => ({ ...properties[key], items: anyOf(names) })
  const allOf = [...shares].flatMap(([column, levels]) =>
    levels === null
      ? []
      : [
          when(
            { required: ['by'], properties: { by: { const: column } } },
            { properties: { levels: { items: anyOf(levels) } } },
          ),
        ],
  )
  return {
    ...published,
    properties: {
      ...properties,
      by: { description: properties.by!.description, ...anyOf([...shares.keys()]) },
      on: list('on', [...new Set([...shares.keys(), ...ranges])]),
      shares: list('shares', [...shares.keys()]),
      means: list('means', ranges),
    },
    ...(allOf.length > 0 && { allOf }),
  }
}

function quantilesSchema(published: Json, ranges: readonly string[]): Json {
  return { ...published, propertyNames: anyOf(ranges) }
}

/** Columns of levels take lists of them, columns of numbers ends. */
function filterSchema(published: Json, { shares, ranges }: Pick<Names, 'shares' | 'ranges'>): Json {
  const levels = [...shares].map(([column, names]): readonly [string, Json] => [
    column,
    { type: 'array', minItems: 1, items: names === null ? { $ref: '#/definitions/levelName' } : anyOf(names) },
  ])
  const ends = ranges.map((column): readonly [string, Json] => [
    column,
    { type: 'object', allOf: [{ $ref: '#/definitions/rowFilter' }] },
  ])
  return {
    ...published,
    propertyNames: anyOf([...new Set([...shares.keys(), ...ranges])]),
    ...members([...levels, ...ends.filter(([column]) => !shares.has(column))]),
  }
}

function comparisonGatesSchema(published: Json, { shares }: Names): Json {
  const item = published.items as Json
  const allOf = [...shares].flatMap(([column, levels]) =>
    levels === null
      ? []
      : [
          when(
            { required: ['column'], properties: { column: { const: column } } },
            { properties: { level: anyOf(levels) } },
          ),
        ],
  )
  return { ...published, items: allOf.length === 0 ? item : { ...item, allOf } }
}

/** Built from entries, because an object with a property `then` looks like a promise. */
function when(condition: Json, consequence: Json): Json {
  return Object.fromEntries([
    ['if', condition],
    ['then', consequence],
  ])
}

function sorted(names: Iterable<string>): string[] {
  return [...new Set(names)].sort()
}
