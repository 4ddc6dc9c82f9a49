import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../src/base/raw-table.ts'
import { openTableWriter } from '../../src/formats/open-table-writer.ts'
import { columnMetadata } from '../../src/formats/parquet/column-notes.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { texts } from '../engine/cleaning/raw-columns.ts'
import { ruleOf } from '../engine/sampling/ruled-people.ts'
import { columnOf } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
let files = 0

/** A Parquet file of two columns with this metadata, read. */
async function readWith(metadata: Record<string, string>): Promise<RawTable> {
  const path = folder.write(`file-${files++}.parquet`, '')
  const level = (name: string) => ({ name, kind: 'categorical', levels: ['a', 'b', "it's"], integer: false }) as const
  const writer = await openTableWriter(path, 'parquet', [level('x'), level('y')], {
    tempDir: folder.path,
    metadata: new Map(Object.entries(metadata)),
  })
  const codes = Int32Array.of(0, 1, 2)
  await writer.write({ rowCount: 3, columns: [{ codes }, { codes }] })
  await writer.close()
  return readTable(path, { tempDir: folder.path })
}

describe('the column notes of a Parquet file', () => {
  it('are read as they were written', async () => {
    const written = [
      { ...texts('x', ['a', 'b', "it's"]), declaredOrder: ["it's", 'b', 'a'], declaredType: 'ordinal' as const },
      { ...texts('y', ['a', 'b', "it's"]), label: 'What "is"\nit? 日本' },
    ]
    const table = await readWith(Object.fromEntries(columnMetadata(written)))
    expect(columnOf(table, 'x')).toMatchObject({ declaredOrder: ["it's", 'b', 'a'], declaredType: 'ordinal' })
    expect(columnOf(table, 'y').label).toBe('What "is"\nit? 日本')
    expect(columnOf(table, 'y')).not.toHaveProperty('declaredType')
    expect(table.notes).toEqual([])
  })

  it('say what a column is made of', async () => {
    const of = ['x', 'z']
    const written = [
      { ...texts('x', ['a']), declaredFormula: { form: 'mean' as const, of, least: 1 } },
      { ...texts('y', ['a']), declaredFormula: { form: 'difference' as const, of: ['z', 'x'] as const } },
    ]
    const table = await readWith(Object.fromEntries(columnMetadata(written)))
    expect(columnOf(table, 'x').declaredFormula).toEqual({ form: 'mean', of, least: 1 })
    expect(columnOf(table, 'y').declaredFormula).toEqual({ form: 'difference', of: ['z', 'x'] })
  })

  it('say the rules of the table', async () => {
    const rules = ['x in [a]', 'x not in [b] if y = a'].map(ruleOf)
    const table = await readWith(Object.fromEntries(columnMetadata([texts('x', ['a'])], rules)))
    expect(table.rules).toEqual(rules)
    expect(await readWith({})).not.toHaveProperty('rules')
  })

  it('say no rules in another shape', async () => {
    const fine = ruleOf('x in [a]')
    const [comparison] = [ruleOf('x <= 3')]
    const strange = [
      null,
      3,
      'x <= 3',
      {},
      { ...fine, text: '' },
      { ...fine, text: 'x'.repeat(1_001) },
      { ...fine, must: null },
      { ...fine, when: {} },
      { ...fine, when: Array.from({ length: 101 }, () => fine.must) },
      { ...fine, must: { ...fine.must, levels: [] } },
      { ...fine, must: { ...fine.must, levels: [3] } },
      { ...fine, must: { ...fine.must, isOut: 'no' } },
      { ...fine, must: { ...fine.must, column: 3 } },
      { ...comparison, must: { ...comparison!.must, terms: [] } },
      { ...comparison, must: { ...comparison!.must, terms: [{ column: 'x', weight: 0 }] } },
      { ...comparison, must: { ...comparison!.must, terms: [{ column: 'x', weight: null }] } },
      {
        ...comparison,
        must: { ...comparison!.must, terms: Array.from({ length: 2 }, () => ({ column: 'x', weight: 1 })) },
      },
      { ...comparison, must: { ...comparison!.must, relation: '; DROP TABLE' } },
      { ...comparison, must: { ...comparison!.must, most: 'many' } },
      { ...comparison, must: { ...comparison!.must, kind: '__proto__' } },
    ]
    const table = await readWith({ 'whatif:rules': JSON.stringify({ rules: [...strange, fine] }) })
    expect(table.rules).toEqual([fine])
    for (const text of ['[]', '{"rules":{}}', '{"rules":3}', '{', 'null'])
      expect(await readWith({ 'whatif:rules': text })).not.toHaveProperty('rules')
    const many = await readWith({ 'whatif:rules': JSON.stringify({ rules: Array.from({ length: 500 }, () => fine) }) })
    expect(many.rules).toHaveLength(200)
  })

  it.each([
    '{"x":"a + b"}',
    '{"x":{"form":"mean","of":["a"],"least":1}}',
    '{"x":{"form":"mean","of":["a","a"],"least":1}}',
    '{"x":{"form":"mean","of":["a","b"],"least":3}}',
    '{"x":{"form":"mean","of":["a","b"]}}',
    '{"x":{"form":"difference","of":["a","b","c"]}}',
    '{"x":{"form":"product","of":["a","b"]}}',
    '{"x":{"form":"difference","of":[1,2]}}',
  ])('do not say what a column is made of in another shape: %s', async (formulas) => {
    expect(columnOf(await readWith({ 'whatif:formulas': formulas }), 'x')).not.toHaveProperty('declaredFormula')
  })

  it('are absent in a file without them', async () => {
    const table = await readWith({})
    for (const key of ['label', 'declaredType', 'declaredOrder']) expect(columnOf(table, 'x')).not.toHaveProperty(key)
  })

  it.each([
    ['no JSON', 'x'],
    ['a list', '[]'],
    ['null', 'null'],
    ['too long', `{"x":["${'a'.repeat(2 ** 20)}"]}`],
  ])('are ignored with a note when they are %s', async (_what, levels) => {
    const table = await readWith({ 'whatif:levels': levels })
    expect(columnOf(table, 'x')).not.toHaveProperty('declaredOrder')
    expect(table.notes).toEqual(['What the file says about its columns (whatif:…) is damaged and was ignored.'])
  })

  it.each([
    ['{"x":["a","a"]}', '{"x":"identifier"}', '{"x":5}'],
    ['{"x":[1,2]}', '{"x":null}', '{"x":""}'],
    ['{"x":[]}', '{"x":["numeric"]}', '{"x":{}}'],
    ['{"__proto__":["a"]}', '{"toString":"numeric"}', '{"z":"label"}'],
  ])('are ignored if they have another shape: %s', async (levels, types, labels) => {
    const table = await readWith({ 'whatif:levels': levels, 'whatif:types': types, 'whatif:labels': labels })
    for (const key of ['label', 'declaredType', 'declaredOrder']) expect(columnOf(table, 'x')).not.toHaveProperty(key)
  })

  it('have cut labels, and no labels that are too long together', () => {
    const column = texts('x', ['a'])
    const long = columnMetadata([{ ...column, label: `${'ä'.repeat(499)}😀` }]).get('whatif:labels')!
    expect(JSON.parse(long)).toEqual({ x: `${'ä'.repeat(499)}` })
    const many = Array.from({ length: 3_000 }, (_, i) => ({ ...column, name: `c${i}`, label: 'l'.repeat(500) }))
    expect([...columnMetadata(many).keys()]).toEqual(['whatif:texts'])
    expect(() => columnMetadata([{ ...column, declaredOrder: ['a'.repeat(2 ** 20)] }])).toThrow(RangeError)
  })
})
