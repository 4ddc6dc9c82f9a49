import { expect, it } from 'vitest'
import { cleanTable } from '../../../src/engine/clean.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { readTable } from '../../../src/formats/read-table.ts'
import { tempFolder } from '../../formats/temp-folder.ts'
import { uniforms } from './answers.ts'

const folder = tempFolder()
const ROWS = 500

/** Cleans a file with a column of numbers and a column of levels. */
async function cleaned(name: string, ...columns: ((row: number) => string)[]) {
  const lines = Array.from({ length: ROWS }, (_, row) => [row % 2 ? 'a' : 'b', ...columns.map((cell) => cell(row))])
  const header = ['g', ...columns.map((_, i) => `n${i}`)]
  const path = folder.write(`${name}.csv`, `${[header, ...lines].map((line) => line.join(',')).join('\n')}\n`)
  return cleanTable(await readTable(path, { tempDir: folder.path }), { autoClean: true })
}

const random = uniforms(7)

it.each([
  ['whole numbers', () => String(1_000_000 + Math.floor(random() * 1e6)), { integer: true }],
  ['whole numbers with exponents', () => `${1 + Math.floor(random() * 900)}e12`, { integer: true }],
  ['what no 64 bits hold', () => `${(1 + random()).toFixed(6)}e+21`, { integer: false }],
])('%s keep their form', async (name, cell, expected) => {
  expect((await cleaned(name, cell)).schema[1]).toMatchObject({ type: 'numeric', ...expected })
})

it.each([
  ['two decimals', () => (random() * 9).toFixed(2), 2],
  ['many decimals', () => (random() * 9).toFixed(15), 12],
  ['twelve decimals of small numbers', () => (random() * 1e-8).toFixed(12), 12],
  ['masses of atoms', () => `${(1 + random() * 8).toFixed(3)}e-27`, 38],
])('%s keep the digits that distinguish values', async (name, cell, decimals) => {
  const column = (await cleaned(name, cell)).table.columns[1]!
  expect(column.kind === 'numeric' && column.decimals).toBe(decimals)
})

it('no formula is found among very small numbers only because all of them are near 0', async () => {
  const { table } = await cleaned(
    'unrelated',
    () => (10 ** (-20 * random())).toPrecision(4),
    () => `${(1 + random() * 8).toFixed(3)}e-27`,
    () => `${(1 + random() * 8).toFixed(5)}e-9`,
  )
  expect((await trainModel(table, { threads: 1 })).derivations).toEqual([])
})
