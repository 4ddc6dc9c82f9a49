/**
 * Orders trained on demand, kept in memory with their model by the set of conditioned columns. An order does not depend on
 * shares, ranges or seeds. Training is deterministic, except that another version of Node may round logarithms otherwise:
 * if orders must stay the same, a store keeps them beside the model.
 */
import type { Model, Order, Tree } from '../model/model.ts'
import type { TrainOptions } from '../training/grow-trees.ts'
import { trainOrder } from '../training/train-order.ts'

/**
 * Persistent storage of orders. Its members do not reject because of stored content: such an order is trained again.
 */
export interface OrderStore {
  /** The order for these columns of the model, ascending; null when there is no usable one. */
  load(model: Model, conditioned: readonly number[]): Promise<Order | null>
  /** Stores an order that was trained because there was none. */
  save(model: Model, conditioned: readonly number[], order: Order): Promise<void>
}

/** Orders kept per model, in bytes beyond what they share with it; the newest stays, however large. */
const MAX_ORDER_BYTES = 32 * 2 ** 20

interface Kept {
  readonly order: Order
  readonly sizeBytes: number
}

const ordersOf = new WeakMap<Model, Map<string, Kept>>()

/**
 * The order whose first columns are the conditioned ones: from memory, from the store, or trained.
 *
 * @param conditioned Column indices; none gives the base order.
 */
export async function orderFor(
  model: Model,
  conditioned: readonly number[],
  options: TrainOptions,
  store?: OrderStore,
): Promise<Order> {
  if (conditioned.length === 0) return model.base
  const sorted = conditioned.toSorted((a, b) => a - b)
  const key = sorted.join()
  const orders = ordersOf.get(model) ?? new Map<string, Kept>()
  ordersOf.set(model, orders)
  const kept = orders.get(key) ?? measured(model, await loadOrTrain(model, sorted, options, store))
  // Most recently used last; a map iterates in the order of insertion.
  orders.delete(key)
  orders.set(key, kept)
  let total = 0
  for (const { sizeBytes } of orders.values()) total += sizeBytes
  for (const [oldest, { sizeBytes }] of orders) {
    if (total <= MAX_ORDER_BYTES || orders.size === 1) break
    orders.delete(oldest)
    total -= sizeBytes
  }
  return kept.order
}

/** Most kept per model: a person moves a few columns, and their trees are small beside those of an order. */
const MOST_FRONTS = 64

const frontsOf = new WeakMap<Model, Map<string, Order>>()

/**
 * The same order with trees of the conditioned columns alone, for questions that sample no row: a table of 200 columns would
 * otherwise wait for 200 trees before the first answer about a column.
 */
export async function frontFor(model: Model, conditioned: readonly number[], options: TrainOptions): Promise<Order> {
  if (conditioned.length === 0) return model.base
  const sorted = conditioned.toSorted((a, b) => a - b)
  const key = sorted.join()
  const whole = ordersOf.get(model)?.get(key)
  if (whole !== undefined) return whole.order
  const fronts = frontsOf.get(model) ?? new Map<string, Order>()
  frontsOf.set(model, fronts)
  const front = fronts.get(key) ?? (await trainOrder(model, sorted, { ...options, isFront: true }))
  fronts.delete(key)
  fronts.set(key, front)
  if (fronts.size > MOST_FRONTS) fronts.delete(fronts.keys().next().value as string)
  return front
}

async function loadOrTrain(
  model: Model,
  sorted: readonly number[],
  options: TrainOptions,
  store: OrderStore | undefined,
): Promise<Order> {
  const stored = await store?.load(model, sorted)
  if (stored) return stored
  const order = await trainOrder(model, sorted, options)
  await store?.save(model, sorted, order)
  return order
}

function measured({ base }: Model, order: Order): Kept {
  const own = order.trees.filter((tree) => !base.trees.includes(tree))
  return { order, sizeBytes: own.reduce((sum, tree) => sum + sizeOf(tree), 0) }
}

function sizeOf(tree: Tree): number {
  const { codes, feature, test, left, parent, start, end, masks, groups, scores } = tree
  const arrays = [codes, feature, test, left, parent, start, end, masks, ...groups.filter((group) => group !== null)]
  const effects = scores.flatMap((score) => [score.effects, score.cuts])
  return [...arrays, ...effects].reduce((sum, array) => sum + array.byteLength, 0)
}
