import { expect, it } from 'vitest'
import { cleanTable } from '../../../src/engine/clean.ts'
import { numbers, rows, table, texts } from './raw-columns.ts'

const kept = numbers(
  'n',
  rows(600, (i) => i % 7),
)

const notesOn = (values: readonly string[]) =>
  cleanTable(table(kept, texts('c', values)), { autoClean: true }).report.notes

it.each([
  ['weights', (i: number) => `${40 + (i % 300) / 5} kg`, '"c" ("kg")'],
  ['hours', (i: number) => `${i % 250} Std.`, '"c" ("Std.")'],
  ['areas', (i: number) => `${20 + (i % 290)}m²`, '"c" ("m²")'],
])('a dropped column of numbers with a unit is named, with the declaration that reads it: %s', (_, cell, named) => {
  expect(notesOn(rows(600, cell))).toEqual([
    `Columns of numbers with a unit were dropped as texts; to read the numbers, declare them "numeric" in "types": ${named}.`,
  ])
})

it.each([
  [
    'heights of two systems',
    (i: number) => (i % 2 === 0 ? `${150 + (i % 290) / 10} cm` : `1.${100 + (i % 290)} m`),
    '"c" ("cm", "m")',
  ],
  ['feet and inches by their signs', (i: number) => `${4 + (i % 20)}'${i % 90}"`, `"c" ("' "")`],
  ['feet and inches', (i: number) => `${4 + (i % 20)} ft ${i % 300} in`, '"c" ("ft in")'],
])('several units are named: %s', (_, cell, named) => {
  expect(notesOn(rows(600, cell))).toEqual([
    `Columns of numbers with several units were dropped as texts; to read the numbers, write all of them in one unit in the file: ${named}.`,
  ])
})

it('a column of numbers with a unit that became levels is named where rare ones are lost', () => {
  const distances = rows(600, (i) => `${i < 570 ? i % 30 : 30 + (i % 29)} km`)
  expect(notesOn(distances)).toEqual([
    'Columns of numbers with a unit were kept as levels, of which rare ones became missing; to read the numbers, declare them "numeric" in "types": "c" ("km").',
  ])
  expect(notesOn(rows(600, (i) => `${i % 30} km`))).toEqual([])
})

it.each([
  ['many ages of babies in months', 5, '"c" ("Y", "M")'],
  ['few', 100, '"c" ("Y", others of fewer than 10 rows)'],
])('ages in years and months are named where rare ones are lost: %s', (_, every, named) => {
  const ages = rows(600, (i) =>
    i % every === 0 ? `${1 + ((i / every) % 11)}M` : `${1 + (i < 500 ? i % 40 : i % 97)}Y`,
  )
  expect(notesOn(ages)).toEqual([
    `Columns of numbers with several units were kept as levels, of which rare ones became missing; to read the numbers, write all of them in one unit in the file: ${named}.`,
  ])
})

it.each([
  ['weeks', (i: number) => `${1990 + (i % 30)}-W${10 + (i % 41)}`],
  ['weeks by another name', (i: number) => `KW ${1 + (i % 51)}/${1990 + (i % 30)}`],
  ['quarters', (i: number) => `${1890 + (i % 130)}Q${1 + (i % 4)}`],
  ['quarters first', (i: number) => `Q${1 + (i % 4)} ${1890 + (i % 130)}`],
])('a dropped column of %s is named, with what to write instead', (_, cell) => {
  expect(notesOn(rows(600, cell))).toEqual([
    'Columns of weeks or quarters were dropped as texts; to read them as dates, write the first day of each in the file; to have levels, map them to longer periods in "recode": "c".',
  ])
})

it('a dropped column of numbers beside texts is named', () => {
  const income = rows(600, (i) =>
    i % 5 < 3 ? String(900 + ((i * 7) % 501)) : i % 2 === 0 ? `about ${i}` : `up to ${i} a week`,
  )
  expect(notesOn(income)).toEqual([
    'Columns with numbers beside other texts were dropped; to read the numbers, declare the other texts in "missing", or empty those cells: "c" (360 numbers in 600 answers).',
  ])
})

it('a column of numbers beside one text that became a level is named where the numbers are lost', () => {
  const cycles = rows(600, (i) => (i % 2 === 0 ? 'Undetermined' : (15 + ((i * 7) % 299) / 10).toFixed(2)))
  expect(notesOn(cycles)).toEqual([
    'Columns with numbers beside other texts were kept as levels, of which rare ones became missing; to read the numbers, declare the other texts in "missing", or empty those cells: "c" (300 numbers in 600 answers).',
  ])
})

it('a dropped column of dates beside texts is named', () => {
  const day = (i: number) => `${2000 + (i % 24)}-0${1 + (i % 9)}-${10 + (i % 19)}`
  expect(notesOn(rows(600, (i) => (i % 4 < 3 ? day(i) : `around week ${i}`)))).toEqual([
    'Columns with dates beside other texts were dropped; to read the dates, declare the other texts in "missing", or empty those cells: "c" (450 dates in 600 answers).',
  ])
  expect(notesOn(rows(600, (i) => (i % 4 === 0 ? day(i) : `around week ${i}`)))).toEqual([])
  // All are dates: the reader has said why it could not tell days from months.
  expect(notesOn(rows(600, (i) => `0${1 + (i % 9)}/0${1 + (i % 7)}/${1970 + (i % 50)}`))).toEqual([])
})

it('a dropped column of durations is named, with the way to write them', () => {
  expect(notesOn(rows(600, (i) => `${i % 97}:${10 + (i % 50)}`))).toEqual([
    'Columns of durations in two parts were dropped as texts, because 34:52 may be hours and minutes or minutes and seconds; to read them, write three parts in the file, such as 34:52:00 or 0:34:52: "c".',
  ])
})

it.each([
  ['year first', (i: number) => `${1970 + (i % 50)}-${String(1 + (i % 12)).padStart(2, '0')}`],
  ['month first', (i: number) => `${1 + (i % 12)}/${1970 + (i % 50)}`],
  ['in words', (i: number) => `${['Jan', 'March', 'Sept.'][i % 3]} ${1890 + (i % 130)}`],
  ['with years or days', (i: number) => `${['Jan', 'Mar', 'Sep'][i % 3]}-${10 + (i % 89)}`],
])('a dropped column of months is named, with the way to write them: %s', (_, cell) => {
  expect(notesOn(rows(600, cell))).toEqual([
    'Columns of months without a day were dropped as texts; to read them as dates, each as the first day of its month, declare their form in "dates", such as YYYY-MM or MMM-YY: "c".',
  ])
})

it.each([
  ['apostrophes', (i: number) => `'${i % 290}`],
  ['estimates', (i: number) => `~${i % 290}`],
  ['estimates in words', (i: number) => `ca. ${i % 290}`],
  ['two currencies', (i: number) => (i % 2 === 0 ? `€${i % 290}` : `$${i % 290}`)],
  ['some percentages', (i: number) => (i % 2 === 0 ? `${i % 290}%` : `0.${100 + (i % 290)}`)],
])('a dropped column of numbers whose signs are not read is named: %s', (_, cell) => {
  expect(notesOn(rows(600, cell))).toEqual([
    'Columns of numbers with several signs, or with signs that are not read, were dropped as texts; to read the numbers, write all of them in one form in the file: "c".',
  ])
})

it.each([
  ['numbers of cases', (i: number) => `#${i}`],
  ['letters and digits like those of weeks', (i: number) => `${1000 + (i % 290)}-W${i % 290}`],
  ['numbers of cases of a year', (i: number) => `${1990 + (i % 33)}-${String(1 + (i % 97)).padStart(2, '0')}`],
  ['names with a year', (i: number) => `${['Marathon', 'Juniors', 'Decathlon'][i % 3]} ${1890 + (i % 130)}`],
  ['addresses of computers', (i: number) => `10.0.${i % 3}.${i % 250}`],
  ['addresses of networks', (i: number) => `192.168.1.${i % 290}/24`],
  ['numbers of houses', (i: number) => `${1 + (i % 290)}${'abc'[i % 3]}`],
  ['names of products', (i: number) => `A${i % 290} mk ${i % 3}`],
  ['codes that differ in every row', (i: number) => (i % 2 === 0 ? `K${i}` : String(10_000 + i))],
  ['codes with leading zeros', (i: number) => (i % 2 === 0 ? `0${100 + (i % 290)}` : `B-${i % 290}`)],
])('nothing is said of %s', (_, cell) => {
  expect(notesOn(rows(600, cell))).toEqual([])
})

it.each([
  ['amounts with the sign on either side', (i: number) => (i % 2 === 0 ? `${i}.25€` : `€${i}.75`), true],
  ['amounts in two currencies', (i: number) => `${i % 9 === 0 ? '€' : '$'}${i}.25`, true],
  ['numbers of cases', (i: number) => `#${1000 + i}`, false],
  ['numbers of cases with points', (i: number) => `~${i}.125.${i}`, false],
])('a column that differs in every row is named if it holds amounts: %s', (_, cell, isNamed) => {
  expect(notesOn(rows(600, cell))).toEqual(
    isNamed
      ? [
          'Columns of numbers with several signs, or with signs that are not read, were dropped as texts; to read the numbers, write all of them in one form in the file: "c".',
        ]
      : [],
  )
})

it.each([
  ['times of day', (i: number) => `${i % 24}:${10 + (i % 50)}`, 'times'],
  ['per cents', (i: number) => `${i % 97}%`, 'numbers'],
  ['amounts', (i: number) => `$${i}`, 'numbers'],
])('a dropped column with a few other values has one note, about these: %s', (_, cell, kind) => {
  expect(notesOn(rows(60, (i) => (i === 7 ? 'later' : cell(i))))).toEqual([
    `Columns of ${kind} with a few other values were kept as text; to read them as ${kind}, empty those cells or declare their values in "missing": "c" (1 of 60 answers).`,
  ])
})

const NAMES = ['Jan', 'Feb', 'Mar', 'May', 'Jun', 'Sep', 'Oct']

it.each([
  ['day first', (i: number) => `${1 + (i % 28)}/${1 + (Math.floor(i / 28) % 12)}`],
  ['month first', (i: number) => `${1 + (i % 12)}/${1 + (i % 29)}`],
  ['as Germans write them', (i: number) => `${1 + (i % 28)}.${1 + (Math.floor(i / 28) % 12)}.`],
  ['with names', (i: number) => `${1 + (i % 28)}-${NAMES[Math.floor(i / 28) % 7]}`],
  ['with names in front', (i: number) => `${NAMES[Math.floor(i / 28) % 7]} ${1 + (i % 28)}`],
  [
    'in Spanish',
    (i: number) => `${1 + (i % 28)} de ${['marzo', 'mayo', 'julio', 'agosto', 'enero'][Math.floor(i / 28) % 5]}`,
  ],
  ['in Japanese', (i: number) => `${1 + (i % 12)}月${1 + (i % 29)}日`],
])('days without a year are named: %s', (_, cell) => {
  expect(notesOn(rows(600, cell).map((text, i) => (i % 50 === 3 ? 'later' : text)))).toEqual([
    'Columns of days without a year were dropped as texts; to read them as dates, write the year in the file, such as 2024-07-05: "c".',
  ])
})

it('days without a year that became levels are named where rare ones are lost', () => {
  const days = rows(600, (i) => `${i < 570 ? 1 + (i % 20) : 21 + (i % 8)}/${1 + ((7 * i) % 3)}`)
  expect(notesOn(days)).toEqual([
    'Columns of days without a year were kept as levels, of which rare ones became missing; to read them as dates, write the year in the file, such as 2024-07-05: "c".',
  ])
})

it.each([
  ['results', (i: number) => `${1 + (i % 29)}/${1 + ((i * 7) % 29)}`],
  ['fractions', (i: number) => `${1 + (i % 11)}/${2 + ((i * 5) % 11)}`],
  ['ranges', (i: number) => `${1 + (i % 11)}-${13 + ((i * 5) % 17)}`],
  ['streets with numbers', (i: number) => `${1 + (i % 28)} ${['Maple', 'Junction', 'Church'][i % 3]}`],
])('are no days without a year: %s', (_, cell) => {
  expect(notesOn(rows(600, cell)).join()).not.toContain('without a year')
})

it.each([
  ['with a hyphen', (i: number) => `${100 + (i % 290)}-${105 + (i % 290)}`],
  ['with a word and thousands separators', (i: number) => `${1 + (i % 290)},000 to ${2 + (i % 290)},000`],
])('a dropped column of ranges is named: %s', (_, cell) => {
  expect(notesOn(rows(600, cell))).toEqual([
    'Columns of ranges were dropped as texts; to have levels, map them to fewer ranges in "recode"; to have numbers, write one in each cell of the file, such as the middle: "c".',
  ])
})

it.each([
  ['numbers of telephones', (i: number) => `555-${1000 + ((i * 7919) % 9000)}`],
  ['numbers of cases', (i: number) => `24-${10_000 + i}`],
  ['scores of matches', (i: number) => `${(i * 31) % 290}-${(i * 17) % 290}`],
])('is no range: %s', (_, cell) => {
  expect(notesOn(rows(600, cell))).toEqual([])
})
