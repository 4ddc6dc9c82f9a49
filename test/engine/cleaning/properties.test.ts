/** Properties of cleaning that hold for any table. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RawColumn } from '../../../src/base/raw-table.ts'
import { hasCode } from '../../../src/base/whatif-error.ts'
import { type CleanedTable, cleanNames, cleanTable, makeUnique, UNTRAINABLE } from '../../../src/engine/clean.ts'
import { numbers, table, texts } from './raw-columns.ts'

const ROWS = 60

const header = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '',
    ' ',
    'a_b',
    'a b',
    'a.b',
    'a.b.1',
    '1',
    '.',
    '\u202eabc',
    '🦆',
    'a\u0000b',
    '\u0301',
    '__proto__',
  ),
)

const option = fc.constantFrom('Tea', 'Coffee', 'Soup', 'Milk, warm', 'Water (still, cold)')
const column = fc.oneof(
  fc.array(fc.option(fc.constantFrom('a', 'b', 'c', 'Yes', 'yes', '-')), { minLength: ROWS, maxLength: ROWS }),
  fc.array(fc.option(fc.string({ unit: 'binary', maxLength: 20 })), { minLength: ROWS, maxLength: ROWS }),
  fc.array(
    fc.option(
      fc.uniqueArray(option, { minLength: 1 }).map((chosen) => chosen.join('; ')),
      { freq: 6 },
    ),
    { minLength: ROWS, maxLength: ROWS },
  ),
  fc.array(fc.option(fc.integer({ min: 0, max: 6 })), { minLength: ROWS, maxLength: ROWS }),
  fc.array(fc.option(fc.constantFrom(1, 2, 3, 4, 5, 98, 99)), { minLength: ROWS, maxLength: ROWS }),
  fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })), { minLength: ROWS, maxLength: ROWS }),
)

type Values = readonly (string | number | null)[]
interface Source {
  readonly name: string
  readonly values: Values
}

const sources = fc
  .array(fc.record({ name: header, values: column }), { minLength: 1, maxLength: 8 })
  // Readers give unique names.
  .map((all) => {
    const names = makeUnique(all.map(({ name }) => name))
    return all.map(({ values }, i): Source => ({ name: names[i]!, values }))
  })

function rawColumn({ name, values }: Source): RawColumn {
  const isText = values.some((value) => typeof value === 'string')
  return isText ? texts(name, values as (string | null)[]) : numbers(name, values as (number | null)[])
}

/** Null where nothing can be learnt from the table. */
function clean(columns: readonly Source[], autoClean = true): CleanedTable | null {
  try {
    return cleanTable(table(...columns.map(rawColumn)), { autoClean })
  } catch (error) {
    if (hasCode(error, UNTRAINABLE)) return null
    throw error
  }
}

function valuesOf(cleaned: CleanedTable): Source[] {
  return cleaned.table.columns.map((column): Source => {
    if (column.kind === 'numeric') {
      return { name: column.name, values: Array.from(column.values, (value, i) => (column.valid[i] ? value : null)) }
    }
    const level = (code: number) => (code < 0 ? null : column.levels[code]!)
    const values = Array.from(column.codes, level)
    return { name: column.name, values: column.integer ? values.map((v) => (v === null ? null : Number(v))) : values }
  })
}

/** Whether a value comes fewer than five times. */
function hasRare(values: Values): boolean {
  return [0, 1].some((option) => values.filter((value) => value === option).length < 5)
}

describe('names', () => {
  it('are unique and made of letters, digits and dots, for any headers', () => {
    fc.assert(
      fc.property(fc.array(header, { maxLength: 20 }), (headers) => {
        const names = cleanNames(headers)
        expect(names).toHaveLength(headers.length)
        expect(new Set(names).size).toBe(names.length)
        for (const name of names)
          expect(name).toMatch(/^(?!\p{Nd})[\p{L}\p{M}\p{Nd}]([\p{L}\p{M}\p{Nd}.]*[\p{L}\p{M}\p{Nd}])?$/u)
      }),
    )
  })

  it('that are clean stay as they are', () => {
    fc.assert(
      fc.property(fc.array(header, { maxLength: 20 }), (headers) => {
        const names = cleanNames(headers)
        expect(cleanNames(names)).toEqual(names)
      }),
    )
  })
})

describe('cleaning', () => {
  it('accounts for every column of the file, and for every column of the result', () => {
    fc.assert(
      fc.property(sources, fc.boolean(), (columns, autoClean) => {
        const cleaned = clean(columns, autoClean)
        if (cleaned === null) return
        const { report, schema } = cleaned
        const made = report.splitColumns.reduce((sum, { into }) => sum + into.length, 0)
        expect(report.inputColumns).toBe(columns.length)
        expect(report.cleanColumns).toBe(
          report.inputColumns - report.droppedColumns.length - report.splitColumns.length + made,
        )
        expect(schema).toHaveLength(report.cleanColumns)
        const names = schema.map(({ name }) => name)
        expect(new Set(names).size).toBe(names.length)
        const source = new Map(schema.map(({ name, sourceName }) => [name, sourceName]))
        for (const { from, to } of report.renamedColumns) expect(source.get(to)).toBe(from)
        for (const { from, into } of report.splitColumns)
          for (const { name } of into) expect(source.get(name)).toBe(from)
        const gone = [...report.droppedColumns.map(({ name }) => name), ...report.splitColumns.map(({ from }) => from)]
        const here = schema.map(({ sourceName }) => sourceName)
        expect(new Set([...gone, ...here])).toEqual(new Set(columns.map(({ name }) => name)))
      }),
    )
  })

  it('accounts for every value: each level is kept, or listed as merged into missing', () => {
    fc.assert(
      fc.property(sources, (columns) => {
        const cleaned = clean(columns)
        if (cleaned === null) return
        for (const [i, column] of cleaned.table.columns.entries()) {
          const { values } = columns.find(({ name }) => name === column.sourceName)!
          const before = values.filter((value) => value === null).length
          const merged = cleaned.report.droppedLevels.find((levels) => levels.column === column.name)?.rows ?? 0
          const now = valuesOf(cleaned)[i]!.values.filter((value) => value === null).length
          expect(now).toBe(before + merged)
          expect(column.missingShare).toBeCloseTo(now / ROWS, 12)
        }
      }),
    )
  })

  it('does not depend on the order of the rows', () => {
    fc.assert(
      fc.property(
        sources,
        fc.array(fc.double({ noNaN: true }), { minLength: ROWS, maxLength: ROWS }),
        (columns, keys) => {
          const order = Array.from(keys.keys()).sort((a, b) => keys[a]! - keys[b]! || a - b)
          const shuffled = columns.map(({ name, values }) => ({ name, values: order.map((row) => values[row]!) }))
          const [one, other] = [clean(columns), clean(shuffled)]
          expect(other?.schema).toEqual(one?.schema)
          expect(other?.report).toEqual(one?.report)
        },
      ),
    )
  })

  it('changes nothing when its own result is cleaned again', () => {
    fc.assert(
      fc.property(sources, (columns) => {
        const once = clean(columns)
        if (once === null) return
        // Where rare levels went, what is left may look otherwise: 0 and 6 alone are no codes.
        const lost = new Set(once.report.droppedLevels.map(({ column }) => column))
        const rare = once.report.splitColumns.flatMap(({ into }) => into.map(({ name }) => name))
        const full = valuesOf(once).filter(
          ({ name, values }) => !lost.has(name) && !(rare.includes(name) && hasRare(values)),
        )
        if (full.length === 0) return
        const again = clean(full)
        const kept = new Set(full.map(({ name }) => name))
        const kinds = ({ schema }: CleanedTable) =>
          schema.filter(({ name }) => kept.has(name)).map(({ name, type }) => ({ name, type }))
        expect(again).not.toBeNull()
        expect(kinds(again!)).toEqual(kinds(once))
        expect(again!.report).toMatchObject({ renamedColumns: [], splitColumns: [], droppedLevels: [] })
      }),
    )
  })
})
