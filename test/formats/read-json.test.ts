import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../src/base/raw-table.ts'
import { readTable } from '../../src/formats/read-table.ts'
import type { ReadTableOptions } from '../../src/formats/reading/row-sample.ts'
import { UnreadableFileError } from '../../src/formats/reading/unreadable-file-error.ts'
import { checkConsistency, columnOf, readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()

async function read(content: string | Buffer, options: Partial<ReadTableOptions> = {}): Promise<RawTable> {
  const path = folder.write('answers.json', Buffer.from(content as string))
  const table = await readTable(path, { tempDir: folder.path, ...options })
  checkConsistency(table)
  return table
}

const refusal = async (content: string | Buffer): Promise<string> => {
  const error = await read(content).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UnreadableFileError)
  return (error as UnreadableFileError).detail
}

const namesOf = (table: RawTable) => table.columns.map(({ name }) => name)

describe('records of JSON are rows', () => {
  const people = [
    { town: 'Lyon', age: 30, member: true },
    { town: 'Nice', age: 41.5, member: false },
    { town: null, age: 7, member: true },
  ]

  it.each([
    ['a list on one line', JSON.stringify(people)],
    ['an indented list', JSON.stringify(people, null, 2)],
    ['a list of one record a line', `[\n${people.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`],
    ['a list with commas in front', `[${people.map((one) => JSON.stringify(one)).join('\n,')}\n]\n`],
    ['JSON Lines', people.map((one) => `${JSON.stringify(one)}\n`).join('')],
    ['JSON Lines of Windows, with a blank line', people.map((one) => `${JSON.stringify(one)}\r\n\r\n`).join('')],
    ['records with commas and no list', people.map((one) => JSON.stringify(one)).join(',\n')],
    ['indented records, as jq prints them', people.map((one) => JSON.stringify(one, null, 2)).join('\n')],
    ['a list behind a byte order mark', `\ufeff${JSON.stringify(people)}`],
  ])('%s', async (_, content) => {
    const table = await read(content)
    expect(table).toMatchObject({ rowCount: 3, notes: [] })
    expect(readColumn(table, 'town')).toEqual(['Lyon', 'Nice', null])
    expect(readColumn(table, 'age')).toEqual([30, 41.5, 7])
    expect(columnOf(table, 'member')).toMatchObject({ type: 'boolean' })
  })

  it('a record may lack names, have others, and have them in another sequence', async () => {
    const table = await read('{"a": 1, "b": "x"}\n{"b": "y"}\n{"c": 3, "a": 2}\n')
    expect(namesOf(table)).toEqual(['a', 'b', 'c'])
    expect(readColumn(table, 'a')).toEqual([1, null, 2])
    expect(readColumn(table, 'b')).toEqual(['x', 'y', null])
    expect(readColumn(table, 'c')).toEqual([null, null, 3])
  })

  it('records within records become columns with names of several parts', async () => {
    const table = await read(
      '[{"home": {"town": "Lyon", "at": {"y": 1}}, "home.town": "N"}, {"home": {"town": "Nice"}}]',
    )
    expect(namesOf(table)).toEqual(['home.town', 'home.at.y', 'home.town.1'])
    expect(readColumn(table, 'home.town')).toEqual(['Lyon', 'Nice'])
    expect(readColumn(table, 'home.town.1')).toEqual(['N', null])
    expect(table.notes).toContain('Structured columns were split into one column per field.')
  })

  it('lists of texts are several answers in a cell; an empty list is the answer that none applies', async () => {
    const table = await read(
      '[{"i": 1, "likes": ["tea", "milk"]}, {"i": 2, "likes": []}, {"i": 3, "likes": ["a \\"b\\"", null]}, {"i": 4, "likes": null}]',
    )
    expect(readColumn(table, 'likes')).toEqual(['["tea","milk"]', '[]', '["a \\"b\\""]', null])
    expect(table.notes).toContain('Column "likes" holds lists, which were read as several answers in a cell.')
  })

  it('lists of records are left out, with a note', async () => {
    const table = await read('[{"id": 1, "loop": [{"child": "A"}]}, {"id": 2, "loop": []}]')
    expect(namesOf(table)).toEqual(['id'])
    expect(table.skippedColumns).toEqual([{ name: 'loop', detail: expect.stringContaining('lists of records') }])
    expect(table.notes).toEqual([expect.stringContaining('Column "loop" was left out.')])
  })

  it('a number of more digits than a number can hold stays what it is', async () => {
    const table = await read(
      '{"id": 9007199254740993, "t": "12345678901234567890"}\n{"id": 9007199254740992, "t": "a: 1234567890123456"}\n',
    )
    expect(readColumn(table, 'id')).toEqual(['9007199254740993', '9007199254740992'])
    expect(readColumn(table, 't')).toEqual(['12345678901234567890', 'a: 1234567890123456'])
  })

  it('texts are read as in delimited text, unless the study says that they are texts', async () => {
    const content = '[{"age": "30", "day": "2026-03-01"}, {"age": "41", "day": "2026-03-02"}]'
    const table = await read(content)
    expect(readColumn(table, 'age')).toEqual([30, 41])
    expect(readColumn(table, 'day')).toEqual(['2026-03-01', '2026-03-02'])
    expect(readColumn(await read(content, { textColumns: new Set(['age']) }), 'age')).toEqual(['30', '41'])
  })

  it('numbers among texts are texts', async () => {
    expect(readColumn(await read('[{"v": 1}, {"v": "one"}, {"v": true}]'), 'v')).toEqual(['1', 'one', 'true'])
  })

  it('values that a database writes with their type are values', async () => {
    const table = await read(
      '{"_id": {"$oid": "5f"}, "n": {"$numberLong": "12"}}\n{"_id": {"$oid": "60"}, "n": {"$numberInt": "3"}}\n',
    )
    expect(namesOf(table)).toEqual(['_id', 'n'])
    expect(readColumn(table, 'n')).toEqual([12, 3])
  })

  it('names of every kind are names', async () => {
    const table = await read('[{"__proto__": 1, "constructor": 2, "": 3, "年": "a"}, {"__proto__": 4, "年": "b"}]')
    expect(readColumn(table, '__proto__')).toEqual([1, 4])
    expect(readColumn(table, 'constructor')).toEqual([2, null])
    expect(readColumn(table, '年')).toEqual(['a', 'b'])
    expect(table.columns).toHaveLength(4)
  })

  it('braces, brackets and escapes within texts belong to the texts', async () => {
    const table = await read('[{"t": "}],[{\\"\\\\"}, {"t": "\\u00e9\\n{"}]')
    expect(readColumn(table, 't')).toEqual(['}],[{"\\', 'é\n{'])
  })

  it('a file of many pieces is read as one of few rows, with a sample of the rows', async () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => ({ i, text: `${'é'.repeat(40)}${i % 7}` }))
    const table = await read(JSON.stringify(rows), { maxSampleRows: 1_000 })
    expect(table).toMatchObject({ rowCount: 30_000, sampleRows: 1_000 })
    expect(columnOf(table, 'text')).toMatchObject({ distinct: 7, missing: 0 })
    expect(columnOf(table, 'i')).toMatchObject({ min: 0, max: 29_999, distinct: 30_000 })
  })

  it('records without a value are empty rows', async () => {
    const table = await read('[{"a": 1}, {}, {"a": null}, {"a": 2}]')
    expect(table).toMatchObject({ rowCount: 2, droppedRows: { empty: 2 } })
  })
})

describe('what is no table of records is refused, with the place', () => {
  it.each([
    [
      'a list that was cut off in a record',
      '[\n{"a": 1},\n{"a": ',
      /ends within record 2, which begins on line 3.* cut off/,
    ],
    ['a list that was cut off behind a record', '[{"a": 1},\n{"a": 2}', /not closed behind record 2.* cut off/],
    ['a line that was cut off', '{"a": 1}\n{"a": "x', /ends within record 2, which begins on line 2/],
    [
      'a value between records',
      '[{"a": 1},\n 7, {"a": 2}]',
      /Behind record 1 .* a record in braces was expected, but line 2 has "7"/,
    ],
    [
      'records of a list without a comma',
      '[{"a": 1},\n{"a": 2}\n{"a": 3}]',
      /a comma or the end of the list was expected, but line 3/,
    ],
    ['a text behind the list', '[{"a": 1}, {"a": 2}]\n{"a": 3}', /nothing more was expected, but line 2 has "\{"/],
    ['a value that is no JSON', '[{"a": 1},\n{"a": NaN}]', /Record 2, which begins on line 2, is no JSON/],
    ['bytes of another encoding', Buffer.from('[{"a": "\xe9"}, {"a": "b"}]', 'latin1'), /Record 1.* no UTF-8/],
    ['UTF-16', Buffer.from('\ufeff[{"a": 1}, {"a": 2}]', 'utf16le'), /JSON in UTF-16/],
    ['nothing but empty records', '[{}, {}]', /no value that a table can hold/],
    ['nothing but lists of records', '[{"a": [{"b": 1}]}, {"a": [[1]]}]', /no value that a table can hold/],
    ['brackets without an end', `[{"a": ${'['.repeat(200)}`, /nests more than 100/],
    [
      'too many names',
      `[${Array.from({ length: 5_001 }, (_, i) => `{"n${i}": 1}`).join()}]`,
      /more than 5000 .* record 5001/,
    ],
    [
      'two sides of a merge',
      '{"a": 1}\n<<<<<<< ours\n{"a": 2}\n=======\n{"a": 3}\n>>>>>>> theirs\n',
      /unresolved merge/,
    ],
  ])('%s', async (_, content, detail) => {
    expect(await refusal(content)).toMatch(detail)
  })

  it('an encoding is not declared for JSON', async () => {
    await expect(read('[{"a": 1}, {"a": 2}]', { encoding: 'windows-1252' })).rejects.toThrow(/encoding is declared/)
  })
})

describe('a table whose cells only look like JSON stays a table', () => {
  it.each([
    ['a quoted cell', '"{""a"": 1}",b\nx,y\nz,w\n'],
    ['a cell in braces', '{"a": 1},b\n{"a": 2},c\n{"a": 3},d\n'],
  ])('%s', async (_, content) => {
    expect((await read(content)).columns).toHaveLength(2)
  })
})
