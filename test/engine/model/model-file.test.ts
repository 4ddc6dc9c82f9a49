import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Model, Order } from '../../../src/engine/model/model.ts'
import {
  decodeModel,
  decodeOrder,
  encodeModel,
  encodeOrder,
  UNUSABLE_MODEL,
} from '../../../src/engine/model/model-file.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { surveyDesign } from '../../../src/engine/weighting/survey-design.ts'
import { sampleTable } from '../sampled-table.ts'
import { categorical, numeric, surveyTable, tableOf } from '../survey-table.ts'

/** As earlier versions wrote it: in version 1 trees have no scores, before 3 models no derivations, before 4 no strictness, before 5 no relations and no crossings. */
function asVersion(version: 1 | 2 | 3 | 4, bytes: Uint8Array): Uint8Array {
  const view = Buffer.from(bytes)
  const length = view.readUInt32LE(12)
  // Spaces at the end keep the payload in its place.
  const newer = [
    ['"scores":[],'],
    ['"bandStarts":null,', '"derivations":[],'],
    ['"strictness":0,'],
    [',"relations":[]', ',"groups":null'],
  ]
    .slice(version - 1)
    .flat()
  const text = newer.reduce((part, absent) => part.replaceAll(absent, ''), view.toString('utf8', 48, 48 + length))
  const description = Buffer.from(text.padEnd(length))
  const old = Buffer.concat([view.subarray(0, 48), description, view.subarray(48 + length)])
  old.writeUInt32LE(version, 8)
  createHash('sha256').update(old.subarray(48)).digest().copy(old, 16)
  return old
}

function underived(model: Model): Model {
  const columns = model.columns.map((column) => (column.kind === 'numeric' ? { ...column, bandStarts: null } : column))
  return { ...model, columns, derivations: [], relations: [] }
}

describe('a model file', () => {
  let model: Model
  let bytes: Uint8Array

  beforeAll(async () => {
    model = await trainModel(surveyTable(800), { threads: 1 })
    bytes = encodeModel(model)
  })

  it('restores the model', () => {
    const again = decodeModel(bytes)
    expect(again).toEqual(model)
    expect(Buffer.compare(encodeModel(again), bytes)).toBe(0)
  })

  it('restores additive scores bit by bit', () => {
    const scores = decodeModel(bytes).base.trees.flatMap((tree) => tree.scores)
    expect(scores.length).toBeGreaterThan(0)
    expect(scores).toEqual(model.base.trees.flatMap((tree) => tree.scores))
    for (const { effects, cuts } of scores) {
      expect(effects.buffer).toBeInstanceOf(SharedArrayBuffer)
      expect(cuts.buffer).toBeInstanceOf(SharedArrayBuffer)
    }
  })

  it('of version 1, before additive scores, gives trees without scores', async () => {
    const order: Order = { ...model.base, trees: model.base.trees.filter((tree) => tree.scores.length === 0) }
    expect(order.trees.length).toBeGreaterThan(0)
    const scoreless = { ...underived(model), base: order }
    expect(decodeModel(asVersion(1, encodeModel(scoreless)))).toEqual(scoreless)
    expect(decodeOrder(asVersion(1, encodeOrder(order)))).toEqual(order)
  })

  it('of version 2, before derivations, gives a model without derivations', () => {
    const earlier = underived(model)
    expect(decodeModel(asVersion(2, encodeModel(earlier)))).toEqual(earlier)
    expect(decodeOrder(asVersion(2, encodeOrder(model.base)))).toEqual(model.base)
  })

  it('of version 3, before strictness, gives a model of strictness 0', () => {
    const earlier = underived(model)
    expect(earlier.strictness).toBe(0)
    const old = asVersion(3, encodeModel(earlier))
    expect(Buffer.from(old).includes('"strictness"')).toBe(false)
    expect(decodeModel(old)).toEqual(earlier)
    expect(decodeOrder(asVersion(3, encodeOrder(model.base)))).toEqual(model.base)
  })

  it('of version 4, before relations, gives a model without relations, whose formulas may exceed the extremes of the seed', async () => {
    const one = Array.from({ length: 300 }, (_, i) => (i * 37) % 101)
    const other = one.map((value, i) => (value * i) % 89)
    const sum = one.map((value, i) => value + other[i]!)
    const computed = await trainModel(tableOf([numeric('one', one), numeric('other', other), numeric('sum', sum)]), {
      threads: 1,
    })
    expect(computed.derivations).toMatchObject([{ kind: 'formula', min: Math.min(...sum), max: Math.max(...sum) }])
    const old = asVersion(4, encodeModel({ ...computed, relations: [] }))
    expect(decodeModel(old)).toEqual({
      ...computed,
      relations: [],
      derivations: computed.derivations.map((one) => ({ ...one, min: -Infinity, max: Infinity })),
    })
    expect(decodeOrder(asVersion(4, encodeOrder(model.base)))).toEqual(model.base)
  })

  it('restores relations', async () => {
    const low = Array.from({ length: 400 }, (_, i) => (i * 37) % 101)
    const high = low.map((value, i) => value + ((i * 13) % 40))
    const related = await trainModel(tableOf([numeric('low', low), numeric('high', high)]), { threads: 1 })
    expect(related.relations).toMatchObject([{ kind: 'bound', difference: { column: { min: 0 } } }])
    expect(decodeModel(encodeModel(related))).toEqual(related)
  })

  it('of version 4, before crossings, gives trees without crossings', () => {
    const old = asVersion(4, bytes)
    expect(Buffer.from(old).includes('"groups":null')).toBe(false)
    expect(decodeModel(old).base).toEqual(model.base)
    expect(decodeOrder(asVersion(4, encodeOrder(model.base)))).toEqual(model.base)
  })

  it('restores derivations', () => {
    expect(model.derivations.length).toBeGreaterThan(0)
    expect(decodeModel(bytes).derivations).toEqual(model.derivations)
  })

  it('restores which value of its bin each row has', async () => {
    const many = Array.from({ length: 900 }, (_, i) => ((i * 7_919) % 900) / 4)
    const exact = await trainModel(tableOf([numeric('many', many, 2)]), { threads: 1 })
    expect(exact.positions?.[0]).toHaveLength(900)
    const again = decodeModel(encodeModel(exact))
    expect(again.positions).toEqual(exact.positions)
    // Workers share it.
    expect(again.positions![0]!.buffer).toBeInstanceOf(SharedArrayBuffer)
    const { positions: _, ...earlier } = exact
    expect(decodeModel(encodeModel(earlier))).toEqual(earlier)
  })

  it('restores a survey design, and has a version that readers without designs refuse', async () => {
    const design = surveyDesign(
      {
        strata: Array.from({ length: 800 }, (_, i) => i % 3),
        clusters: Array.from({ length: 800 }, (_, i) => i % 40),
        replicates: {
          weights: [0, 1].map((half) => Float64Array.from({ length: 800 }, (_, i) => (i % 2 === half ? 2 : 0))),
          scale: 0.5,
          rscales: [1, 0.75],
        },
      },
      null,
    )
    const designed = await trainModel({ ...surveyTable(800), design }, { threads: 1 })
    expect(designed).toEqual({ ...model, design })
    const file = encodeModel(designed)
    expect([bytes[8], file[8]]).toEqual([5, 7])
    const again = decodeModel(file)
    expect(again).toEqual(designed)
    expect(again.design!.clusters!.buffer).toBeInstanceOf(SharedArrayBuffer)
  })

  it('keeps what a survey design does not have as null', async () => {
    const design = surveyDesign({ strata: null, clusters: [5, 5, 7, 7], replicates: null }, null)
    const table = tableOf([categorical('x', ['a', 'b', 'a', 'b'])])
    const designed = await trainModel({ ...table, design }, { threads: 1 })
    expect(decodeModel(encodeModel(designed)).design).toEqual({
      strata: null,
      clusters: Uint32Array.of(0, 0, 1, 1),
      replicates: null,
    })
  })

  it('restores an order', () => {
    expect(decodeOrder(encodeOrder(model.base))).toEqual(model.base)
  })

  it('may begin anywhere in a larger buffer', () => {
    const larger = new Uint8Array(bytes.length + 13)
    larger.set(bytes, 5)
    expect(decodeModel(larger.subarray(5, 5 + bytes.length))).toEqual(model)
  })

  it('gives arrays that threads can share', () => {
    const { codes, base } = decodeModel(bytes)
    for (const array of [
      ...codes,
      base.columns,
      ...base.trees.flatMap((tree) => [tree.codes, tree.test, tree.feature]),
    ]) {
      expect(array.buffer).toBeInstanceOf(SharedArrayBuffer)
    }
  })

  it('gives a model that samples the same rows', async () => {
    const request = { rowCount: 2000, seed: 6 }
    expect((await sampleTable(decodeModel(bytes), request)).digest()).toBe((await sampleTable(model, request)).digest())
  })

  it('keeps unusual labels and infinite bounds', async () => {
    const labels = ['{"$":"number","is":"1"}', '\ud800', 'ÿ\u0000', '']
    const table = tableOf([categorical('x\n"', [...labels, null]), numeric('none', Array(5).fill(null))])
    const odd = await trainModel(table, { threads: 1 })
    const again = decodeModel(encodeModel(odd))
    expect(again).toEqual(odd)
    expect(again.columns[1]).toMatchObject({ min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY })
  })

  it('stores the codes of columns with up to 256 codes as bytes', async () => {
    const rows = 4000
    const table = tableOf([
      numeric(
        'x',
        Array.from({ length: rows }, (_, i) => i % 200),
      ),
    ])
    const { length } = encodeModel(await trainModel(table, { threads: 1 }))
    // The codes and the tree's codes at one byte each, and some kilobytes of dictionaries.
    expect(length).toBeLessThan(2 * rows + 8000)
  })

  it('is refused when any byte is changed', () => {
    const step = Math.ceil(bytes.length / 400)
    for (let at = 0; at < bytes.length; at += at < 64 ? 1 : step) {
      const damaged = bytes.slice()
      damaged[at] = damaged[at]! ^ 0x40
      expect(() => decodeModel(damaged), `byte ${at}`).toThrow(expect.objectContaining({ code: UNUSABLE_MODEL }))
    }
  })

  it.each([0, 7, 47, 48, 1000])('is refused when cut after %d bytes', (length) => {
    expect(() => decodeModel(bytes.subarray(0, length))).toThrow(expect.objectContaining({ code: UNUSABLE_MODEL }))
  })

  it.each([
    {
      what: 'something else',
      file: () => new TextEncoder().encode('PAR1'.repeat(30)),
      message: 'starts with "whatif-m"',
    },
    { what: 'an order', file: () => encodeOrder(model.base), message: 'starts with "whatif-m"' },
    {
      what: 'a model of another version',
      file: () => {
        const other = bytes.slice()
        other[8] = 10
        return other
      },
      message: 'expected model format 1 to 9, found 10',
    },
  ])('is refused when it is $what', ({ file, message }) => {
    expect(() => decodeModel(file())).toThrow(message)
  })
})
