/**
 * Orders trained on demand, kept beside their model by the set of conditioned columns. An order does not depend on shares,
 * ranges or seeds, and training is deterministic, so rows are the same whether it was kept or trained anew.
 */
import type { Model, Order } from '../model.ts'
import type { TrainOptions } from '../train.ts'
import { trainOrder } from '../train-order.ts'

/** Orders kept per model; one takes about the size of the model itself. */
const MAX_ORDERS = 8

const ordersOf = new WeakMap<Model, Map<string, Order>>()

/**
 * The order whose first columns are the conditioned ones.
 *
 * @param conditioned Column indices; none gives the base order.
 */
export async function orderFor(model: Model, conditioned: readonly number[], options: TrainOptions): Promise<Order> {
  if (conditioned.length === 0) return model.base
  const sorted = conditioned.toSorted((a, b) => a - b)
  const key = sorted.join()
  const orders = ordersOf.get(model) ?? new Map<string, Order>()
  ordersOf.set(model, orders)
  const order = orders.get(key) ?? (await trainOrder(model, sorted, options))
  // Most recently used last; a map iterates in the order of insertion.
  orders.delete(key)
  orders.set(key, order)
  for (const oldest of orders.keys()) {
    if (orders.size <= MAX_ORDERS) break
    orders.delete(oldest)
  }
  return order
}
