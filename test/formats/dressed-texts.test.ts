import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/formats/read-table.ts'
import { columnOf, readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
let files = 0

/** Reads one column of cells beside another one. */
function read(cells: readonly string[]) {
  const lines = cells.map((cell, i) => `"${cell.replaceAll('"', '""')}",${'ab'[i % 2]}`)
  const path = folder.write(`dressed-${files++}.csv`, `v,w\n${lines.join('\n')}\n`)
  return readTable(path, { tempDir: folder.path })
}

describe('durations as ISO 8601 writes them', () => {
  it('are read as seconds, with a note', async () => {
    const table = await read(['PT1H30M', 'PT45S', 'P1DT2H', '-PT5M', 'PT0S', 'P0DT0H1M0.5S'])
    expect(readColumn(table, 'v')).toEqual([5400, 45, 93_600, -300, 0, 60.5])
    expect(table.notes).toEqual(['Column "v" has durations, which were read as seconds.'])
  })

  it.each([
    ['names of products', ['P1D', 'P2D', 'P3D']],
    ['regions', ['PT11', 'PT15', 'PT16', 'PT17']],
    ['parts of a day without a letter', ['PT1', 'PT2', 'PT3']],
    ['months, which differ in length', ['P1M', 'P3M', 'P1Y']],
  ])('are not %s', async (_, cells) => {
    expect(readColumn(await read(cells), 'v')).toEqual(cells)
  })
})

describe('texts that a formula keeps as they are', () => {
  it('are read without it, with a note', async () => {
    const table = await read(['="007"', '="012"', '="131"', '="007"', '=""', '="012"'])
    expect(readColumn(table, 'v')).toEqual(['007', '012', '131', '007', null, '012'])
    expect(columnOf(table, 'v')).toMatchObject({ distinct: 3, missing: 1 })
    expect(table.notes).toContain('Column "v" has texts written as formulas (="012"), of which the text was read.')
  })

  it('are missing where it is empty, among numbers too', async () => {
    const table = await read(['="501"', '=""', '="12.5"', '="780"'])
    expect(readColumn(table, 'v')).toEqual([501, null, 12.5, 780])
  })

  it('are one level with the same text without it', async () => {
    const table = await read(['="North"', 'North', '="South"', 'South'])
    expect(readColumn(table, 'v')).toEqual(['North', 'North', 'South', 'South'])
  })

  it.each([[['=A1', '=A2', '=A1']], [['="a"&"b"', '="c"&"d"']], [['"a"', '"b"', '"a"']]])(
    'are not other texts: %j',
    async (cells) => {
      expect(readColumn(await read(cells), 'v')).toEqual(cells)
    },
  )
})

describe('dashes in place of decimals', () => {
  it.each([
    ['a comma', ['€ 1.234,-', '€ 500,-', '€ 12.250,\u2013'], [1234, 500, 12_250]],
    ['a point', ['1.234.-', '2.500.-', '500.-'], [1234, 2500, 500]],
    ['a point, in English', ['1,234.-', '12,500.-', '500.-'], [1234, 12_500, 500]],
  ])('show that the other marks group thousands: behind %s', async (_, cells, numbers) => {
    expect(readColumn(await read(cells), 'v')).toEqual(numbers)
  })

  it('behind a comma show the decimal mark of the file, and behind a point none', async () => {
    const file = (end: string) =>
      `a;v\n${['2.155', '9.834', '3.932'].map((v, i) => `${20 + i}${end};${v}`).join('\n')}\n`
    const valuesOf = async (end: string) => {
      const path = folder.write(`dashes-${files++}.csv`, file(end))
      return readColumn(await readTable(path, { tempDir: folder.path }), 'v')
    }
    expect(await valuesOf(',-')).toEqual([2155, 9834, 3932])
    expect(await valuesOf('.-')).toEqual([2.155, 9.834, 3.932])
  })

  it('are not the ends of ranges', async () => {
    expect(readColumn(await read(['18-', '30-', '45-']), 'v')).toEqual(['18-', '30-', '45-'])
  })
})

describe('decimal commas in a column that a few words keep as text', () => {
  const visitors = (i: number) => `${1 + (i % 9)}.${100 + (i % 890)}`

  async function readWith(rate: (i: number) => string, other: (i: number) => string = () => 'x') {
    const lines = Array.from({ length: 200 }, (_, i) => `${visitors(i)};${rate(i)};${other(i)}`)
    const path = folder.write(`words-${files++}.csv`, `visitors;rate;other\n${lines.join('\n')}\n`)
    return readTable(path, { tempDir: folder.path })
  }

  it('show that points group thousands', async () => {
    const table = await readWith((i) => (i % 50 === 0 ? 'n. v.' : `${i % 97},${1 + (i % 9)}`))
    expect(readColumn(table, 'visitors').slice(0, 3)).toEqual([1100, 2101, 3102])
    expect(columnOf(table, 'rate').type).toBe('text')
  })

  it.each([
    ['are lists of codes', (i: number) => (i % 50 === 0 ? 'none' : `${1 + (i % 5)},${6 + (i % 3)},9`), undefined],
    ['are few among words', (i: number) => (i % 3 === 0 ? `${i},5` : `word ${i}`), undefined],
    [
      'are not those of another column of numbers',
      (i: number) => (i % 50 === 0 ? 'n. v.' : `${i},5`),
      (i: number) => `${i}.25`,
    ],
  ])('show nothing where they %s', async (_, rate, other) => {
    expect(readColumn(await readWith(rate, other), 'visitors')[0]).toBe(1.1)
  })
})
