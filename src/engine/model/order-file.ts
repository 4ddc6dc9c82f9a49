/**
 * An order trained on demand as bytes, to be kept beside its model: the file of an order (model-file.ts) with the model's
 * checksum, and without the trees that it shares with the model's base order.
 *
 * d  columns
 */
import type { Model, Order, Tree } from './model.ts'
import { decodeOrder, encodeOrder, ModelFileError } from './model-file.ts'

interface OrderOfModel extends Order {
  /** Checksum of the model that it was trained from. */
  readonly model: string
  /** Length d: position in the base order of the tree that stands here; -1 where it is the next of `trees`. */
  readonly shared: readonly number[]
}

/** @param model Checksum of the model's file (modelChecksum). */
export function encodeOrderOf({ base }: Model, model: string, order: Order): Uint8Array<ArrayBuffer> {
  const shared = order.trees.map((tree) => base.trees.indexOf(tree))
  const stored: OrderOfModel = { ...order, trees: order.trees.filter((_, i) => shared[i]! < 0), model, shared }
  return encodeOrder(stored)
}

/**
 * @param conditioned Column indices that the order must begin with, in any sequence.
 * @throws ModelFileError when the bytes are damaged, or an order of another model or for other columns.
 */
export function decodeOrderOf(
  { base }: Model,
  model: string,
  conditioned: readonly number[],
  bytes: Uint8Array,
): Order {
  const { columns, trees, shared, ...order } = decodeOrder(bytes) as OrderOfModel
  if (order.model !== model) throw new ModelFileError('the order was trained from another model')
  const first = Array.from(columns.subarray(0, order.conditioned)).sort((a, b) => a - b)
  if (first.join() !== conditioned.toSorted((a, b) => a - b).join()) {
    throw new ModelFileError(`expected an order for columns ${conditioned.join()}, found one for ${first.join()}`)
  }
  let next = 0
  const all: Tree[] = []
  columns.forEach((column, i) => {
    const position = shared[i] ?? -1
    const tree = position < 0 ? trees[next++] : base.trees[position]
    if (tree?.target !== column) throw new ModelFileError(`the order has no tree for column ${column}`)
    all.push(tree)
  })
  return { columns, conditioned: order.conditioned, trees: all }
}
