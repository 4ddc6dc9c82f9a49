import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { guardedRecords, isFormulaCell } from '../../src/formats/csv/formula-cells.ts'
import { summarizeArtifact } from '../../src/formats/read-artifact.ts'
import { renameColumns } from '../../src/formats/rename-columns.ts'
import { tempFolder } from './temp-folder.ts'

const FORMULAS = ['=1+2', '@home', '+cmd', '-5 to 5', '--', '＝A1', '＋1', '-1.5.2', `-${'1'.repeat(400)}`, '\t=1']
const TEXTS = [
  ...['-5', '+5', '-1.5', '-.5', '+1e21', '-007', '-12345678901234567890', '-', '+', '=', '@'],
  ...['Yes', '1-2', ' =1', "'=1", 'é=', '（a）', '', '5'],
]
const isFormula = (text: string) => isFormulaCell(Buffer.from(text), 0, Buffer.byteLength(text))

describe('a cell of CSV', () => {
  it.each(FORMULAS)('begins like a formula: %j', (text) => expect(isFormula(text)).toBe(true))
  it.each(TEXTS)('does not: %j', (text) => expect(isFormula(text)).toBe(false))
})

const QUOTED = /[",\r\n]/
const cell = (text: string) => (QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const ODD = ['=a "b", c', '=two\r\nlines', 'say "=1"', 'a,=1', '\r\n=1', '"=1"']
const CELLS = [...FORMULAS, ...TEXTS, ...ODD]
const table = (guard: (text: string) => string) =>
  CELLS.map((text, i) => `\r\n${cell(guard(text))},${cell(guard(CELLS.at(-1 - i)!))},x`).join('')

describe('the records of a CSV file', () => {
  it.each([1, 2, 3, 7, 401, 1 << 20])(
    'have an apostrophe before such cells alone, in pieces of %i bytes',
    async (size) => {
      const bytes = Buffer.from(table((text) => text))
      async function* pieces() {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
      }
      const parts: Buffer[] = []
      for await (const part of guardedRecords(pieces())) parts.push(part)
      const guarded = (text: string) => (isFormula(text) ? `'${text}` : text)
      expect(Buffer.concat(parts).toString()).toBe(table(guarded))
    },
  )
})

const folder = tempFolder()
const request = { shares: [], ranges: new Map(), numeric: [] }

describe('a CSV artifact', () => {
  it('has its cells that begin like a formula counted by column, and none where they are escaped', async () => {
    mkdirSync(folder.path, { recursive: true })
    const [source, target] = ['source.csv', 'target.csv'].map((name) => join(folder.path, name)) as [string, string]
    writeFileSync(source, 'a,=b,c\n=1,-1,"=x, y"\n-,-2,\n+x,-3,"@z"\n')
    const options = { tempDir: folder.path }
    const { formulas } = await summarizeArtifact(source, 'csv', request, options)
    expect([...formulas!]).toEqual([
      ['a', 2],
      ['c', 2],
    ])
    await renameColumns(source, 'csv', target, new Map([['a', '+a']]), { ...options, escapesFormulas: true })
    expect(readFileSync(target, 'utf8')).toBe(`'+a,'=b,c\n'=1,-1,"'=x, y"\n-,-2,\n'+x,-3,"'@z"\n`)
    expect((await summarizeArtifact(target, 'csv', request, options)).formulas).toBeUndefined()
  })
})
