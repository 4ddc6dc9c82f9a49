import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Block, OutputColumn } from '../../../src/base/output-table.ts'
import type { AnySchemaColumn } from '../../../src/contract/datasets.ts'
import { type ExportRequest, exportResult } from '../../../src/data/export/export-result.ts'
import { openTableWriter } from '../../../src/formats/open-table-writer.ts'
import { readSavLabels } from '../../../src/formats/read-sav-labels.ts'
import { readTable } from '../../../src/formats/read-table.ts'
import { readColumn } from '../../formats/read-column.ts'
import { savBytes } from '../../formats/sav-bytes.ts'
import { tempFolder } from '../../formats/temp-folder.ts'

const folder = tempFolder()
let files = 0

const COLUMNS: readonly OutputColumn[] = [
  { name: 'mood', kind: 'categorical', levels: ['bad', 'good'], integer: false },
  { name: 'drinks.milk', kind: 'categorical', levels: ['0', '1'], integer: true },
  { name: 'drinks.tea', kind: 'categorical', levels: ['0', '1'], integer: true },
  { name: 'scale', kind: 'numeric', integer: true, decimals: 0 },
]
const ROWS: Block = {
  rowCount: 3,
  columns: [
    { codes: Int32Array.of(1, 0, -1) },
    { codes: Int32Array.of(0, 1, 1) },
    { codes: Int32Array.of(1, 1, 0) },
    { values: Float64Array.of(0, 10, 5), valid: null },
  ],
}
const SCHEMA: readonly AnySchemaColumn[] = [
  { name: 'mood', type: 'categorical', levels: ['good', 'bad'], source_name: 'Mood (today)' },
  { name: 'drinks.milk', type: 'categorical', levels: ['0', '1'], source_name: 'Drinks', source_option: 'Milk' },
  { name: 'drinks.tea', type: 'categorical', levels: ['1', '0'], source_name: 'Drinks', source_option: 'Tea' },
  { name: 'scale', type: 'numeric', integer: true, source_name: 'SCALE', label: 'How sure are you?' },
]

async function exported(change: Partial<ExportRequest> = {}): Promise<string> {
  const source = join(folder.path, `artifact-${files++}.parquet`)
  const writer = await openTableWriter(source, 'parquet', COLUMNS, { tempDir: folder.path })
  await writer.write(ROWS)
  await writer.close()
  const target = join(folder.path, `result-${files++}.sav`)
  const form = { format: 'sav', names: 'cleaned' } as const
  const rest = { schema: SCHEMA, renamed: [], seedFile: null, tempDir: folder.path }
  await exportResult({ source, sourceFormat: 'parquet', target, form, ...rest, ...change })
  return target
}

const namesOf = async (path: string) =>
  (await readTable(path, { tempDir: folder.path })).columns.map(({ name }) => name)

describe('an exported SPSS file', () => {
  it('has the cleaned names, or the names of the seed file as far as SPSS allows them', async () => {
    expect(await namesOf(await exported())).toEqual(['mood', 'drinks.milk', 'drinks.tea', 'scale'])
    const path = await exported({ form: { format: 'sav', names: 'original' } })
    expect(await namesOf(path)).toEqual(['Mood_today', 'drinks.milk', 'drinks.tea', 'SCALE'])
    expect((await readSavLabels(path)).get('Mood_today')?.label).toBe('Mood (today)')
  })

  it('labels each option with the question and the option', async () => {
    const labels = await readSavLabels(await exported())
    expect(labels.get('drinks.tea')?.label).toBe('Drinks: Tea')
    expect(labels.get('scale')?.label).toBe('How sure are you?')
    expect(labels.get('mood')).toMatchObject({ label: null })
  })

  it('keeps the codes and labels of an SPSS seed file, also where only the ends of a scale have labels', async () => {
    const seedFile = folder.write(
      'seed.sav',
      savBytes({
        variables: [
          {
            name: 'MOOD',
            label: 'Your mood',
            labels: [
              [5, 'good'],
              [6, 'bad'],
            ],
          },
          {
            name: 'SCALE',
            label: 'not this one',
            labels: [
              [0, 'not at all'],
              [10, 'fully'],
            ],
          },
        ],
        rows: [[5, 0]],
      }),
    )
    const schema = SCHEMA.map((column) => (column.name === 'mood' ? { ...column, source_name: 'MOOD' } : column))
    const path = await exported({ schema, seedFile })
    const labels = await readSavLabels(path)
    expect(labels.get('mood')?.label).toBe('Your mood')
    expect(labels.get('mood')?.codes?.get('good')).toBe(5)
    expect(labels.get('scale')?.label).toBe('How sure are you?')
    expect(labels.get('scale')?.codes?.get('fully')).toBe(10)
    const table = await readTable(path, { tempDir: folder.path })
    expect(readColumn(table, 'mood')).toEqual(['good', 'bad', null])
  })

  it('numbers levels in the order that the service reports', async () => {
    const ordered: AnySchemaColumn['ordered'] = { from: 'words', levels: ['bad', 'good'], apart: [] }
    const schema = SCHEMA.map((column) => (column.name === 'mood' ? { ...column, ordered } : column))
    const codes = async (path: string) => (await readSavLabels(path)).get('mood')?.codes
    expect((await codes(await exported({ schema })))?.get('bad')).toBe(1)
    // Otherwise the most frequent level comes first.
    expect((await codes(await exported()))?.get('bad')).toBe(2)
  })

  it('is made even without a schema, and with a seed file that cannot be read', async () => {
    const seedFile = folder.write('broken.sav', '$FL2 and nothing else')
    const path = await exported({ schema: [], seedFile })
    expect(await namesOf(path)).toEqual(COLUMNS.map(({ name }) => name))
    const table = await readTable(path, { tempDir: folder.path })
    expect(readColumn(table, 'mood')).toEqual(['good', 'bad', null])
  })
})
