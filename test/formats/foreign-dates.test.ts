import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/formats/read-table.ts'
import { columnOf, readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
let files = 0

/** Reads a column of cells beside one of words. */
function read(cells: readonly string[]) {
  const lines = cells.map((cell, i) => `"${cell}",${i % 2 === 0 ? 'a' : 'b'}`)
  const path = folder.write(`dates-${files++}.csv`, `${['at,w', ...lines].join('\n')}\n`)
  return readTable(path, { tempDir: folder.path })
}

describe('dates and times of other languages', () => {
  it.each([
    ['Spanish halves of the day', ['2022/03/05 9:05:10 a.\u00a0m. GMT-5', '2022/03/05 12:05:10 p. m. GMT-5']],
    ['German halves of the day', ['05.03.2022 2:05:10 nachm. +00', '05.03.2022 5:05:10 nachm.']],
    ['Japanese halves of the day behind the time', ['2022/03/05 11:05:10 午後 GMT+9', '2022/03/06 2:05:10 午前 GMT+9']],
    ['Japanese halves of the day before the time', ['2022/03/05 午後2:05:10', '2022/03/05 午後5:05:10']],
    ['Korean dates', ['2022. 3. 5 오후 2:05:10', '2022. 3. 5. 오후 5:05:10']],
    ['narrow blanks before PM', ['March 5, 2022, 2:05:10\u202fPM', 'Mar 5, 2022, 5:05:10\u202fPM']],
    ['commas before times', ['5.3.2022, 14:05:10', '5.3.2022, 17:05:10']],
    ['numbers of Arabic script', ['٢٠٢٢/٠٣/٠٥ ١٤:٠٥:١٠', '٢٠٢٢/٠٣/٠٥ ١٧:٠٥:١٠']],
    ['the clock of a browser', ['Sat Mar 05 2022 15:05:10 GMT+0100 (CET)', 'Sat Mar 05 2022 17:05:10 GMT+0000 (GMT)']],
    ['zones by their cities', ['2022-03-05 14:05:10 Europe/Berlin', '2022-03-05 17:05:10 America/New_York']],
    ['the clock of Java', ['2022-03-05T09:05:10-05:00[America/New_York]', '2022-03-05T18:05:10+01:00[Europe/Berlin]']],
    ['compact ISO 8601', ['20220305T140510Z', '20220305T170510Z']],
  ])('are read: %s', async (_, cells) => {
    expect(readColumn(await read(cells), 'at')).toEqual(['2022-03-05T14:05:10', '2022-03-05T17:05:10'])
  })

  it.each([
    ['German', ['5. März 2022', '17. Dez. 2022']],
    ['French', ['5 mars 2022', '17 déc. 2022']],
    ['French, ordinal', ['samedi 5 mars 2022', '17 décembre 2022']],
    ['Spanish', ['5 de marzo de 2022', '17 de diciembre de 2022']],
    ['Portuguese', ['05/mar/2022', '17/dez/2022'].map((text) => text.replaceAll('/', '-'))],
    ['Polish', ['5 marca 2022', '17 grudnia 2022']],
    ['Swedish', ['5 mars 2022', '17 december 2022']],
    ['Danish', ['5. marts 2022', '17. december 2022']],
    ['Czech', ['5. března 2022', '17. prosince 2022']],
    ['Turkish', ['5 Mart 2022', '17 Aralık 2022']],
    ['Russian', ['5 марта 2022 г.', '17 дек. 2022 г.']],
    ['Greek', ['5 Μαρτίου 2022', '17 Δεκεμβρίου 2022']],
    ['Arabic', ['5 مارس 2022', '17 ديسمبر 2022']],
    ['Japanese', ['2022年3月5日', '2022年12月17日']],
    ['English ordinals', ['5th March 2022', '17th of December 2022']],
    ['short English months', ['Mar. 5, 2022', 'Dec. 17, 2022']],
  ])('have months with names: %s', async (_, cells) => {
    expect(readColumn(await read(cells), 'at')).toEqual(['2022-03-05', '2022-12-17'])
  })

  it.each([
    ['hours and minutes with an h', ['05/03/2022 14h05', '17/03/2022 9h30']],
    ['hours with a word', ['05.03.2022 14:05 Uhr', '17.03.2022 09:30 Uhr']],
    ['hours and minutes with a point and a word', ['05.03.2022 14.05 Uhr', '17.03.2022 9.30 Uhr']],
    ['a Russian year before the time', ['5 марта 2022 г., 14:05', '17 марта 2022 г., 09:30']],
    ['a word before the time', ['05/03/2022 à 14:05', '17/03/2022 à 09:30']],
  ])('are read: %s', async (_, cells) => {
    expect(readColumn(await read(cells), 'at')).toEqual(['2022-03-05T14:05:00', '2022-03-17T09:30:00'])
  })

  it.each([
    ['months alone', ['März 2022', 'Mai 2022']],
    ['a month that may be two', ['5 jui 2022', '6 jui 2022']],
    ['counts', ['2 mal 2022', '3 mal 2022']],
    ['quarters', ['Q1 2022', 'Q2 2022']],
    ['numbers of streets', ['12 Marsham 2022', '14 Decker 2022']],
  ])('are not %s', async (_, cells) => {
    expect(columnOf(await read(cells), 'at').type).toBe('text')
  })
})

it('times with words that name no zone are texts, and no days that no calendar has', async () => {
  const table = await read(['2022-03-05 14:05 about', '2022-03-06 14:05 nearly', '2022-03-07 14:05 at most'])
  expect(columnOf(table, 'at').type).toBe('text')
  expect(table.notes).toEqual([])
})

describe('dates of several forms in one column', () => {
  it('are each read by their own form where none can be read in two ways, with a note', async () => {
    const table = await read(['2022-03-05', '05.03.2022', '2022/03/05', '2022-03-06'])
    expect(readColumn(table, 'at')).toEqual(['2022-03-05', '2022-03-05', '2022-03-05', '2022-03-06'])
    expect(table.notes).toContain(
      'Column "at" has dates of several forms, such as 2024-12-31 and 31.12.2024, each of which was read by its own.',
    )
  })

  it('stay text where one may be day first or month first', async () => {
    expect(columnOf(await read(['2022-03-05', '05/03/2022', '2022-03-07', '06/03/2022']), 'at').type).toBe('text')
  })
})
