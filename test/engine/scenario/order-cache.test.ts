import { beforeAll, describe, expect, it } from 'vitest'
import type { Model, Order } from '../../../src/engine/model/model.ts'
import {
  decodeModel,
  decodeOrderOf,
  encodeModel,
  encodeOrder,
  encodeOrderOf,
  modelChecksum,
  UNUSABLE_MODEL,
} from '../../../src/engine/model/model-file.ts'
import { type OrderStore, orderFor } from '../../../src/engine/scenario/order-cache.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { trainOrder } from '../../../src/engine/training/train-order.ts'
import { surveyTable } from '../survey-table.ts'
import { columnIndex } from './written-scenario.ts'

const THREADS = { threads: 1 }

let file: Uint8Array
let checksum: string
let model: Model

beforeAll(async () => {
  file = encodeModel(await trainModel(surveyTable(1000), THREADS))
  checksum = modelChecksum(file)
  model = decodeModel(file)
})

const indices = (...names: string[]) => names.map((name) => columnIndex(model, name))

describe('an order that is read from a file', () => {
  it('equals the saved one, and shares its trees with the base order of the model', async () => {
    const order = await trainOrder(model, indices('member', 'region'), THREADS)
    const same = order.trees.map((tree) => model.base.trees.indexOf(tree))
    expect(same.some((position) => position >= 0)).toBe(true)
    const bytes = encodeOrderOf(model, checksum, order)
    expect(bytes.length).toBeLessThan(encodeOrder(order).length)
    // Another process has its own copy of the model.
    const copy = decodeModel(file)
    const again = decodeOrderOf(copy, checksum, indices('region', 'member'), bytes)
    expect(again).toEqual(order)
    expect(again.trees.map((tree) => copy.base.trees.indexOf(tree))).toEqual(same)
  })

  it('is refused for another model, for other columns, and when a byte is changed', async () => {
    const bytes = encodeOrderOf(model, checksum, await trainOrder(model, indices('region'), THREADS))
    const other = modelChecksum(encodeModel(await trainModel(surveyTable(1000, 2), THREADS)))
    expect(() => decodeOrderOf(model, other, indices('region'), bytes)).toThrow('trained from another model')
    expect(() => decodeOrderOf(model, checksum, indices('member'), bytes)).toThrow('expected an order for columns')
    for (const at of [0, 9, 20, 60, bytes.length - 1]) {
      const damaged = bytes.slice()
      damaged[at]! ^= 1
      expect(() => decodeOrderOf(model, checksum, indices('region'), damaged), `byte ${at}`).toThrow(
        expect.objectContaining({ code: UNUSABLE_MODEL }),
      )
    }
  })
})

describe('orders of a model', () => {
  /** Counts its requests. */
  function shelf(kept: Map<string, Order> = new Map()): OrderStore & { readonly calls: string[] } {
    const calls: string[] = []
    return {
      calls,
      async load(_, conditioned) {
        calls.push(`load ${conditioned.join()}`)
        return kept.get(conditioned.join()) ?? null
      },
      async save(_, conditioned, order) {
        calls.push(`save ${conditioned.join()}`)
        kept.set(conditioned.join(), order)
      },
    }
  }

  it('are trained once for any sequence of the columns, and saved', async () => {
    const own = decodeModel(file)
    const store = shelf()
    const [region, member] = indices('region', 'member') as [number, number]
    const first = await orderFor(own, [region, member], THREADS, store)
    expect(await orderFor(own, [member, region], THREADS, store)).toBe(first)
    expect(store.calls).toEqual([`load ${region},${member}`, `save ${region},${member}`])
  })

  it('are read from the store if it has them', async () => {
    const own = decodeModel(file)
    const [region] = indices('region') as [number]
    const stored = await trainOrder(own, [region], THREADS)
    const store = shelf(new Map([[`${region}`, stored]]))
    expect(await orderFor(own, [region], THREADS, store)).toBe(stored)
    expect(store.calls).toEqual([`load ${region}`])
  })

  it('are held in memory up to 32 MiB: the ones used last, and the newest whatever its size', async () => {
    const own = decodeModel(file)
    const sizeMiB = new Map([
      ['0', 10],
      ['1', 10],
      ['2', 10],
      ['3', 10],
      ['4', 40],
    ])
    const loads: string[] = []
    const store: OrderStore = {
      async load(_, conditioned) {
        const key = conditioned.join()
        loads.push(key)
        const tree = { ...own.base.trees[0]!, codes: new Uint16Array(sizeMiB.get(key)! * 2 ** 19) }
        return { ...own.base, conditioned: 1, trees: [tree, ...own.base.trees.slice(1)] }
      },
      save: () => Promise.reject(new Error('nothing is trained here')),
    }
    for (const column of [0, 1, 2, 0, 3, 0, 2, 1, 4, 4, 0]) await orderFor(own, [column], THREADS, store)
    expect(loads).toEqual(['0', '1', '2', '3', '1', '4', '0'])
  })
})
