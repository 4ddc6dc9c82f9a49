import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/formats/read-table.ts'
import { columnOf, readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
let files = 0

/** Reads columns of cells, which are repeated to the same length. */
function read(columns: Readonly<Record<string, readonly string[]>>, delimiter = ';') {
  const names = Object.keys(columns)
  const rows = Math.max(...names.map((name) => columns[name]!.length))
  const quoted = (cell: string) => (/["\n,;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  const lines = Array.from({ length: rows }, (_, i) =>
    names.map((name) => quoted(columns[name]![i % columns[name]!.length]!)).join(delimiter),
  )
  const path = folder.write(`marks-${files++}.csv`, `${[names.join(delimiter), ...lines].join('\n')}\n`)
  return readTable(path, { tempDir: folder.path })
}

const GROUPS = ['2.155', '9.834', '3.932', '5.691']

describe('a point before three digits', () => {
  it('groups thousands in a file with decimal commas', async () => {
    const table = await read({ visitors: GROUPS, rate: ['119,47', '0,5'] })
    expect(readColumn(table, 'visitors')).toEqual([2155, 9834, 3932, 5691])
    expect(readColumn(table, 'rate')).toEqual([119.47, 0.5, 119.47, 0.5])
    expect(table.notes).toContain('Column "visitors" has points, which were read as thousands separators.')
  })

  it.each([
    ['in a file with decimal points', { visitors: GROUPS, rate: ['19.47', '3.5'] }],
    ['in a file that shows nothing else', { visitors: GROUPS, rate: ['19', '3'] }],
    ['in a file with decimals of both kinds', { visitors: GROUPS, rate: ['19.47', '3.5'], other: ['110,25', '2,5'] }],
  ])('is a decimal point %s', async (_, columns) => {
    expect(readColumn(await read(columns), 'visitors')).toEqual([2.155, 9.834, 3.932, 5.691])
  })

  it('groups thousands where only thousands are written so: with end zeros, and not at all below 1,000', async () => {
    const table = await read({ visitors: ['9.800', '412', '2.155', '13.040'], age: ['31', '40'] })
    expect(readColumn(table, 'visitors')).toEqual([9800, 412, 2155, 13040])
  })

  it.each([
    ['a number has other decimals', ['9.800', '412', '2.155', '0.5'], 9.8],
    ['the whole part is zero', ['0.125', '412', '2.155', '1.050'], 0.125],
    ['a number above 999 has no point', ['9.800', '1412', '2.155', '1.050'], 9.8],
  ])('is a decimal point where %s', async (_, visitors, first) => {
    expect(readColumn(await read({ visitors, age: ['31', '40'] }), 'visitors')[0]).toBe(first)
  })

  it('is noted where a column speaks for thousands and the others for decimals', async () => {
    const table = await read({ visitors: ['9.800', '412', '2.155', '13.040'], rate: ['19.47', '3.5'] })
    expect(readColumn(table, 'visitors')[0]).toBe(9.8)
    expect(table.notes).toContain(
      'Column "visitors" has points, each before three digits, which were read as decimal points as in other columns.',
    )
  })

  it('is decided in amounts with a currency too', async () => {
    const table = await read({ spent: ['€ 2.155', '€ 900', '€ 1.250'], rate: ['119,47', '0,5'] })
    expect(readColumn(table, 'spent')).toEqual([2155, 900, 1250])
  })
})

describe('decimal points beside decimal commas', () => {
  it('are read as they are, with a note', async () => {
    const table = await read({ lat: ['52.52', '48.1'], rate: ['119,47', '0,5'] })
    expect(readColumn(table, 'lat')).toEqual([52.52, 48.1])
    expect(table.notes).toContain('Column "lat" has decimal points, although other columns have decimal commas.')
  })

  it('are named in one column for what they are', async () => {
    const table = await read({ kg: ['61,9', '78.6', '60.4', '50,8'], sex: ['f', 'm'] })
    expect(readColumn(table, 'kg')).toEqual([61.9, 78.6, 60.4, 50.8])
    expect(table.notes).toContain('Column "kg" has commas and points, which were both read as decimal marks.')
  })

  it.each([
    ['blanks', '1 234,5'],
    ['apostrophes', "1'234,5"],
  ])('are not named where numbers have %s alone', async (marks, text) => {
    const table = await read({ kg: [text, '12'], sex: ['f', 'm'] })
    expect(readColumn(table, 'kg')).toEqual([1234.5, 12])
    expect(table.notes).toContain(`Column "kg" has ${marks}, which were read as thousands separators.`)
  })
})

describe('a comma before three digits', () => {
  it('groups thousands in a file with decimal points, whatever separates its columns', async () => {
    const table = await read({ visitors: ['2,155', '9,834', '3,932'], rate: ['19.47', '3.5', '1.2'] })
    expect(readColumn(table, 'visitors')).toEqual([2155, 9834, 3932])
  })

  it.each([
    [',', ['2,155', '9,834', '3,932'], '.'],
    ['.', ['2.155', '9.834', '3.932'], ','],
  ])('or "%s" is one of decimals with a doubt where nothing in the file decides', async (mark, cells, other) => {
    const table = await read({ visitors: cells, age: ['31', '40', '52'] })
    expect(readColumn(table, 'visitors')).toEqual([2.155, 9.834, 3.932])
    const [marks, decimals] = mark === ',' ? ['commas', 'decimal commas'] : ['points', 'decimal points']
    expect(table.notes).toContain(
      `Column "visitors" has ${marks}, each before three digits, which were read as ${decimals}; where they separate thousands, declare \`decimal: "${other}"\`.`,
    )
    const plain = await read({ visitors: cells, ratio: ['131.2', '40.25'].map((text) => text.replace('.', mark)) })
    expect(plain.notes.join()).not.toContain('where they separate thousands')
  })

  it.each([';', '\t'])(
    'groups thousands in a number among others as large without marks, between "%s"',
    async (delimiter) => {
      const spend = Array.from({ length: 40 }, (_, i) => String(1_200 + 2_311 * i))
      const age = spend.map((_, i) => String(20 + i))
      const table = await read({ spend: [...spend, '84,211'], age: [...age, '33'] }, delimiter)
      expect(readColumn(table, 'spend').at(-1)).toBe(84_211)
      expect(table.notes.join()).toContain('Column "spend" has commas, which were read as thousands separators.')
    },
  )

  it('is one of decimals with a doubt among smaller numbers, and among others with decimals', async () => {
    const small = Array.from({ length: 40 }, (_, i) => String(1 + 2 * i))
    const table = await read({ spend: [...small, '84,211'], age: [...small, '33'] })
    expect(readColumn(table, 'spend').at(-1)).toBe(84.211)
    expect(table.notes.join()).toContain('where they separate thousands, declare')
    const large = small.map((text) => `${text}00`)
    const measured = await read({ spend: [...large, '84,211', '9,5'], age: [...large, '33', '34'] })
    expect(readColumn(measured, 'spend').slice(-2)).toEqual([84.211, 9.5])
  })

  it('is a decimal comma in a file with others', async () => {
    const table = await read({ ratio: ['2,155', '9,834', '3,932'], rate: ['119,47', '0,5', '1,2'] })
    expect(readColumn(table, 'ratio')).toEqual([2.155, 9.834, 3.932])
  })
})

describe('lists of codes', () => {
  const CODES = ['101,204', '204', '101', '204,305', '305', '101,305', '101,204,305']

  it.each([
    ['commas', CODES],
    ['blanks', CODES.map((text) => text.replaceAll(',', ' '))],
  ])('joined by %s are several answers, and no number of millions', async (joint, brands) => {
    const table = await read({ brands, age: ['31', '40', '52'] })
    expect(readColumn(table, 'brands')).toEqual(brands)
    expect(table.notes).toContain(
      `Column "brands" has whole numbers joined by ${joint}, which were read as several answers and not as one number.`,
    )
  })

  it.each([
    ['and points for decimals', '31.5', ','],
    ['and no decimals', '31', ','],
    ['and no decimals between semicolons', '31', ';'],
  ])('are several answers where few people gave two, in a file with commas %s', async (_, age, delimiter) => {
    const brands = Array.from({ length: 120 }, (_, i) =>
      i % 20 === 7 ? CODES[i % 2 === 0 ? 0 : 3]! : CODES[1 + (i % 2)]!,
    )
    brands.push('305', '101,305', '204,305', '101,204')
    expect(readColumn(await read({ brands, age: [age] }, delimiter), 'brands')).toEqual(brands)
  })

  it.each([
    ['two lists', ['101', '101,204', '204,305']],
    ['one list', ['101', '204', '101,204']],
  ])('are several answers where few values come again: %s', async (_, values) => {
    const brands = Array.from({ length: 60 }, (_, i) => values[i % 3]!)
    expect(readColumn(await read({ brands, age: ['31'] }, ','), 'brands')).toEqual(brands)
  })

  it.each([
    ['values that are all different', ['101', '101,204', '204,305']],
    ['prices with few thousands', Array.from({ length: 60 }, (_, i) => ['500', '1,500', '1'][i % 3]!)],
    ['numbers whose parts are nowhere else', Array.from({ length: 60 }, (_, i) => ['310', '120,500'][i % 2]!)],
  ])('are numbers: %s', async (_, cells) => {
    expect(columnOf(await read({ cells, age: ['31.5'] }, ','), 'cells').type).toBe('number')
  })

  // Two of five codes a row, in a file whose numbers have decimal commas.
  const PAIRS = Array.from({ length: 120 }, (_, i) => [i % 5, (i + 1 + ((i >> 3) % 4)) % 5])
  const rate = PAIRS.map((_, i) => `${i},${(i * 7) % 10}`)

  it.each([
    ['of three digits', ['101', '204', '305', '306', '412']],
    ['of one digit', ['1', '2', '3', '4', '5']],
    ['of one to three digits', ['1', '7', '12', '98', '305']],
  ])('%s are no decimals, where nobody has one twice', async (_, codes) => {
    const ticked = (sorted: boolean) =>
      PAIRS.map(([a, b]) => {
        const pair = [codes[a!]!, codes[b!]!]
        return (sorted ? pair.sort((x, y) => Number(x) - Number(y)) : pair).join(',')
      })
    const table = await read({ asked: ticked(false), coded: ticked(true), rate })
    expect(readColumn(table, 'asked')).toEqual(ticked(false))
    expect(readColumn(table, 'coded')).toEqual(ticked(true))
    expect(columnOf(table, 'rate').type).toBe('number')
  })

  it.each([
    ['grades', (i: number) => [1, 1.3, 1.7, 2, 2.3, 2.7, 3, 3.3, 3.7, 4, 5][(i * 7) % 11]!],
    ['halves', (i: number) => (2 + ((i * 5) % 9)) / 2],
    ['numbers of one decimal', (i: number) => 1 + ((i * 37) % 90) / 10],
    ['numbers of three decimals', (i: number) => 1 + ((i * 7919) % 9000) / 1000],
  ])('are not %s', async (_, of) => {
    const numbers = Array.from({ length: 120 }, (_, i) => of(i))
    const table = await read({ mark: numbers.map((value) => String(value).replace('.', ',')), rate })
    expect(readColumn(table, 'mark')).toEqual(numbers)
  })

  it.each([
    [
      'prices that end in 500 or 000',
      ['1,500', '2,500', '1,000', '3,000', '2,000', '500'],
      [1500, 2500, 1000, 3000, 2000, 500],
    ],
    [
      'prices with few thousands',
      ['120,500', '130,500', '120,900', '500', '900', '130,900'],
      [120500, 130500, 120900, 500, 900, 130900],
    ],
    ['numbers of four digits with a comma or without', ['1,500', '2500', '2,500', '12,000'], [1500, 2500, 2500, 12000]],
    ['numbers of millions', ['1,204,305', '2,101,204', '3,305,101'], [1204305, 2101204, 3305101]],
  ])('are not %s', async (_, spent, numbers) => {
    expect(readColumn(await read({ spent, age: ['31.5', '40'] }), 'spent')).toEqual(numbers)
  })
})

describe('numbers in other dress', () => {
  it.each([
    [
      'a loss in parentheses',
      ['$352', '($181)', '$(20)', '$1,503'],
      [352, -181, -20, 1503],
      'numbers in parentheses, which were read as negative',
    ],
    [
      'a guard against formulas',
      ['7.4', "'-8.3", "'-11.4", '2'],
      [7.4, -8.3, -11.4, 2],
      'apostrophes before signs, which guard against formulas and were left out',
    ],
    [
      'a minus sign',
      ['32.6', '\u22124.2', '\u221211', '1'],
      [32.6, -4.2, -11, 1],
      'minus signs (U+2212), which were read as "-"',
    ],
    [
      'a dash for a minus sign',
      ['+3.5', '\u20132.5', '\u201311', '1'],
      [3.5, -2.5, -11, 1],
      'dashes before numbers, which were read as minus signs',
    ],
    [
      'a minus sign behind the amount',
      ['1.234,50', '1.250,00-', '99,90-', '20,00'],
      [1234.5, -1250, -99.9, 20],
      'minus signs behind numbers, which were read as negative',
    ],
    [
      'a formula',
      ['="501"', '="780"', '="12.5"', '="3"'],
      [501, 780, 12.5, 3],
      'numbers written as formulas (="12"), which were read as numbers',
    ],
    [
      'hours above 24',
      ['18:01:14', '34:52:59', '-1:00:00', '0:00:30'],
      [64874, 125579, -3600, 30],
      'durations, which were read as seconds',
    ],
    [
      'a duration with days',
      ['0 days 18:01:14', '1 days 00:00:30.5', '-1 days +23:59:59', '1 day, 2:03:04'],
      [64874, 86430.5, -1, 93784],
      'durations, which were read as seconds',
    ],
  ])('are read: %s', async (_, cells, numbers, note) => {
    const table = await read({ v: cells, w: ['a', 'b'] })
    expect(readColumn(table, 'v')).toEqual(numbers)
    expect(table.notes).toContain(
      `Column "v" has ${note.startsWith('numbers in parentheses') ? 'amounts in "$", which were read as numbers' : note}.`,
    )
    expect(table.notes).toContain(`Column "v" has ${note}.`)
  })

  it.each([
    ['typographic apostrophes', ['1\u2019234\u2019567', '12\u2019500.5', '40'], [1234567, 12500.5, 40]],
    ['groups of two digits', ['12,34,567', '1,23,456.5', '45,000'], [1234567, 123456.5, 45000]],
    ['groups of two digits with a currency', ['Rs. 12,34,567', 'Rs. 99,999', 'Rs. 40'], [1234567, 99999, 40]],
    ['dashes for decimals', ['Fr. 1\u2019200.\u2013', 'Fr. 20.\u2013', 'Fr. 20.50'], [1200, 20, 20.5]],
    ['a percent sign in front', ['%12', '%7,5', '%40'], [12, 7.5, 40]],
    ['a currency behind', ['1,200円', '40円', '900円'], [1200, 40, 900]],
    ['full-width digits', ['１，２００，５００', '４０', '９００'], [1200500, 40, 900]],
    ['Arabic digits', ['١٬٢٠٠٫٥', '٤٠', '٩٠٠'], [1200.5, 40, 900]],
    ['Devanagari digits', ['१२', '४०', '९'], [12, 40, 9]],
  ])('are read in other places: %s', async (_, cells, numbers) => {
    expect(readColumn(await read({ v: cells, w: ['a', 'b'] }), 'v')).toEqual(numbers)
  })

  it('keep their type beside a slip where they have several commas', async () => {
    const cells = Array.from({ length: 200 }, (_, i) => (i === 120 ? 'lots' : `${1 + (i % 9)},234,${500 + i}`))
    expect(columnOf(await read({ v: cells, w: ['a', 'b'] }), 'v')).toMatchObject({ type: 'number', missing: 1 })
  })

  it.each([
    ['lists of two-digit codes', ['12,34,56', '34,56', '12']],
    ['rooms of a building', ['R1', 'R2', 'R2']],
    ['labels in parentheses', ['(1)', '(2)', '(3)', '(2)']],
    ['years after an apostrophe', ["'85", "'92", "'78", "'92"]],
    ['codes that formulas protect', ['="007"', '="012"', '="131"', '="007"']],
    ['marks at school', ['2-', '3', '1-', '2+']],
    ['ends of ranges', ['\u201318', '18\u201329', '30\u2013', '18\u201329']],
    ['amounts up to a limit', ['9.99-', '19.99-', '49.99-', '9.99-']],
    ['proportions of three', ['16:9:3', '4:3:2', '1:1:1', '2:1:1']],
  ])('are not %s', async (_, cells) => {
    const table = await read({ v: cells, w: ['a', 'b'] })
    expect(columnOf(table, 'v').type).toBe('text')
  })
})

describe('times', () => {
  it('with AM and PM and a zone name are read as they stand', async () => {
    const table = await read({ at: ['2022/06/28 12:40:46 AM AST', '2022/06/14 4:55:41 PM AST'], w: ['a', 'b'] })
    expect(readColumn(table, 'at')).toEqual(['2022-06-28T00:40:46', '2022-06-14T16:55:41'])
    expect(table.notes).toContain(
      'Column "at" has times with names of zones (AST), which were read as they stand; write offsets such as -04:00 to have them in UTC.',
    )
  })

  it.each([
    ['UTC', ['2022-06-26 13:05:25 UTC', '2022-06-20 00:13:35 UTC'], ['2022-06-26T13:05:25', '2022-06-20T00:13:35']],
    ['12 hours', ['2022-6-26 1:05:25 PM', '2022-6-20 12:13:35 AM'], ['2022-06-26T13:05:25', '2022-06-20T00:13:35']],
    [
      'an offset from GMT',
      ['2022/06/26 9:12:33 AM GMT-3', '2022/06/26 9:12:33 AM GMT+2'],
      ['2022-06-26T12:12:33', '2022-06-26T07:12:33'],
    ],
    ['an offset', ['6/13/2022 9:12 +05:30', '6/14/2022 9:12 +05:30'], ['2022-06-13T03:42:00', '2022-06-14T03:42:00']],
  ])('in %s are read without a note about zones', async (_, cells, times) => {
    const table = await read({ at: cells, w: ['a', 'b'] })
    expect(readColumn(table, 'at')).toEqual(times)
    expect(table.notes.join(' ')).not.toContain('zones')
  })
})

describe('a comma in a few cells of codes that also stand alone', () => {
  const FEW = ['1', '2', '3', '2', '1', '3', '1,2', '3', '1', '2']
  const LISTS = ['1,2,3', '2', '1,3', '2,3', '1', '3', '1,2', '3', '1', '2']
  const DOUBT =
    'Column "b" has commas between numbers that also stand alone, which were read as decimal commas; where they join several answers, name the separator under "multiple".'

  it.each([',', ';'])(
    'joins answers where another column lists the same codes, in a file with "%s"',
    async (delimiter) => {
      const table = await read({ a: LISTS, b: FEW }, delimiter)
      expect(readColumn(table, 'b')).toEqual(FEW)
      expect(table.notes).toContain(
        'Column "b" has whole numbers joined by commas, which were read as several answers and not as one number.',
      )
    },
  )

  it('marks decimals with a doubt where no column lists these codes, or shows a decimal mark', async () => {
    const table = await read({ a: LISTS.map((cell) => cell.replaceAll('3', '4')), b: FEW }, ',')
    expect(readColumn(table, 'b').slice(4, 8)).toEqual([1, 3, 1.2, 3])
    expect(table.notes).toContain(DOUBT)
  })

  it.each([
    ['the decimals stand nowhere alone', { b: ['0', '1', '2', '1,5', '2', '1', '0', '1', '2', '1'] }],
    ['other columns have decimal commas', { b: FEW, c: ['0,25', '110,5'] }],
  ])('marks decimals without a doubt where %s', async (_, columns) => {
    const table = await read(columns)
    expect(columnOf(table, 'b').type).toBe('number')
    expect(table.notes).not.toContain(DOUBT)
  })
})
