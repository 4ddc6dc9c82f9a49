import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { isNoAnswer } from '../../src/base/text/no-answer-words.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { readColumn } from './read-column.ts'
import { savBytes } from './sav-bytes.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
const shared = resolve(import.meta.dirname, '../../../shared/data')
const hasPspp = spawnSync('pspp-convert', ['--version']).status === 0
const ENCRYPTED = 'hotel-encrypted.sav'

const files = ['formats/sav', 'surveys']
  .map((name) => join(shared, name))
  .filter((path) => existsSync(path))
  .flatMap((path) => readdirSync(path).map((name) => join(path, name)))
  .filter((path) => /\.z?sav$/.test(path) && basename(path) !== ENCRYPTED)

/** Records of the file as PSPP writes them, user-missing values as blanks; the first one has the names. */
function converted(path: string, ...options: string[]): string[][] {
  const target = join(folder.path, `${basename(path)}.csv`)
  const { status, stderr } = spawnSync('pspp-convert', ['--recode', ...options, path, target])
  if (status !== 0) throw new Error(String(stderr))
  return parse(readFileSync(target), { relax_column_count: true })
}

/** A file with what our other fixtures have: labels of variables, odd codes, numbers in texts, codes for no answer. */
const MADE = savBytes({
  variables: [
    {
      name: 'REGION',
      label: 'Où habitez-vous ?',
      labels: ['North', 'South', 'East', 'West'].map((text, i) => [i + 1, text]),
    },
    {
      name: 'SCORE',
      label: 'From 0 to 10',
      labels: [
        [0, 'Not at all'],
        [10, 'Fully'],
        [98, 'Refused'],
      ],
    },
    {
      name: 'SAT',
      labels: [
        [1, 'Low'],
        [2, 'High'],
        [9, 'No answer'],
      ],
      missing: { count: 1, values: [9] },
    },
    { name: 'SPEND', width: 8, label: 'x'.repeat(250) },
    { name: 'ZIP', width: 5 },
  ],
  rows: [
    ...Array.from({ length: 40 }, (_, i) => [1 + (i % 4), i % 11, 1 + (i % 2), String(i / 4), `0${1000 + i}`]),
    [77, 98, 9, '-', ''],
  ],
  extensions: [{ subtype: 13, bytes: Buffer.from('REGION=Region\tSCORE=Score\tSAT=Sat\tSPEND=Spend\tZIP=Zip') }],
})

describe.skipIf(!hasPspp)('system files, compared with pspp-convert', () => {
  it('have the same values if our tests wrote them', async () => {
    await expectSame(folder.write('made.sav', MADE))
  })

  it.each(files.map((path) => [basename(path), path] as const))('have the same values: %s', async (_, path) => {
    await expectSame(path)
  })
})

async function expectSame(path: string): Promise<void> {
  const table = await readTable(path, { tempDir: folder.path })
  const [header = [], ...raw] = converted(path)
  // Rows in which everything is missing are left out, unless there is one column alone.
  const isFilled = (record: readonly string[]) => header.length === 1 || record.some((cell) => cell.trim() !== '')
  const labelled = converted(path, '--labels').slice(1)
  const kept = raw.map(isFilled)
  const values = raw.filter((_record, i) => kept[i])
  const labels = labelled.filter((_record, i) => kept[i])
  expect(table.columns.map(({ name }) => name)).toEqual(header)
  expect(table.rowCount + table.droppedRows.empty).toBe(raw.length)

  const differing: string[] = []
  for (const [i, { name, type }] of table.columns.entries()) {
    const ours = readColumn(table, name)
    for (const [row, value] of ours.entries()) {
      const plain = values[row]?.[i]?.trim() ?? ''
      const label = labels[row]?.[i]?.trim() ?? ''
      if (!isSame(type, value, plain, label)) differing.push(`${name}[${row}]: ${value} | ${plain} | ${label}`)
    }
  }
  expect(differing).toEqual([])
}

function isSame(type: string, value: string | number | null, plain: string, label: string): boolean {
  // Numbers that their labels call no answer, and marks among the numbers of a string variable, are missing.
  if (value === null && type === 'number' && (isNoAnswer(label) || plain === '-')) return true
  // Years beyond 9999 are missing, which the notes say.
  if (value === null) return plain === '' || /^(na|n\/a|nan|null)$/i.test(label) || /^\d\d\/\d\d\/\d{5,} /.test(plain)
  const clock = /^(\d+):(\d\d):(\d\d)$/.exec(plain)
  if (type === 'number' && clock !== null) {
    const [hours, minutes, seconds] = clock.slice(1).map(Number) as [number, number, number]
    return Math.floor(value as number) === 3600 * hours + 60 * minutes + seconds
  }
  // PSPP writes at most 15 digits.
  if (type === 'number') return Math.abs(Number(plain) - (value as number)) <= 1e-12 * Math.abs(value as number)
  if (type === 'date' || type === 'date-time') return isSameTime(String(value), plain)
  // PSPP shows the pieces of a letter that is cut at the end of its field.
  if (value === label.replace(/\?+$/, '').trim()) return true
  return value === label || value === `${label} (${plain})`
}

function isSameTime(ours: string, theirs: string): boolean {
  return Date.parse(`${ours.includes('T') ? ours : `${ours}T00:00:00`}Z`) === Date.parse(`${theirs} UTC`)
}
