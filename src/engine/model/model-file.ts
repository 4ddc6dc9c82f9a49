/**
 * Models and orders as bytes.
 *
 * Layout, all numbers little-endian:
 *
 *   0   8 bytes   "whatif-m" (a model) or "whatif-o" (an order)
 *   8   uint32    version of this format: 5, or 6 for a model with case weights, which readers of 5 would ignore, or 7 for one
 *                 with a survey design, which readers of 6 would ignore, or 8 for one with declared columns, or 9 for one with rules. Older versions are read too: 4 has no relations, crossings or extremes of formulas, 3 also no strictness, 2 also no
 *                 derivations, and 1 also no additive scores
 *   12  uint32    J: bytes of the description
 *   16  32 bytes  SHA-256 of everything after these 48 bytes
 *   48  J bytes   the value as JSON, UTF-8; every typed array is {"$": kind, "at": offset, "n": length}, and a number that
 *                 JSON lacks {"$": "number", "is": text}
 *       padding   zeros to a multiple of 8
 *       payload   the arrays, each at a multiple of 8 from here; 16-bit arrays without large values are stored as bytes
 */

import { createHash } from 'node:crypto'
import { endianness } from 'node:os'
import { WhatifError } from '../../base/whatif-error.ts'
import { sharedUint16 } from '../threads/shared-arrays.ts'
import type { Model, Order, Tree } from './model.ts'

const VERSION = 9
/** Without rules, and without columns that the author of the seed made of others. */
const VERSION_WITHOUT_RULES = 8
const VERSION_WITHOUT_DECLARED = 7
/** Without survey design, and without case weights. */
const VERSION_WITHOUT_DESIGN = 6
const VERSION_WITHOUT_WEIGHTS = 5
/** The last versions without relations and crossings, without strictness, without derivations, without scores. */
const VERSION_WITHOUT_RELATIONS = 4
const VERSION_WITHOUT_STRICTNESS = 3
const VERSION_WITHOUT_DERIVATIONS = 2
const VERSION_WITHOUT_SCORES = 1
const HEADER_BYTES = 48

/** Code of bytes that are no model (or order) file of a version that is read, or were damaged. */
export const UNUSABLE_MODEL = 'unusable_model'

function unusable(message: string, cause?: unknown): WhatifError {
  return new WhatifError(UNUSABLE_MODEL, message, { cause })
}

const ARRAY_KINDS = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i16: Int16Array,
  i32: Int32Array,
  f64: Float64Array,
} as const
type ArrayKind = keyof typeof ARRAY_KINDS
type AnyArray = InstanceType<(typeof ARRAY_KINDS)[ArrayKind]>

export function encodeModel(model: Model): Uint8Array<ArrayBuffer> {
  return encode('whatif-m', model)
}

/** @throws WhatifError with `UNUSABLE_MODEL` */
export function decodeModel(bytes: Uint8Array): Model {
  const { value, version } = decode('whatif-m', bytes)
  let model = value as Model
  if (version <= VERSION_WITHOUT_RELATIONS) model = withoutRelations({ ...model, base: withoutCrossings(model.base) })
  if (version <= VERSION_WITHOUT_STRICTNESS) model = { ...model, strictness: 0 }
  if (version <= VERSION_WITHOUT_DERIVATIONS) model = withoutDerivations(model)
  if (version <= VERSION_WITHOUT_SCORES) model = { ...model, base: withoutScores(model.base) }
  return model
}

/** The checksum of a model's file in hexadecimal. Files with equal checksums hold the same model. */
export function modelChecksum(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(16, HEADER_BYTES)).toString('hex')
}

export function encodeOrder(order: Order): Uint8Array<ArrayBuffer> {
  return encode('whatif-o', order)
}

/** @throws WhatifError with `UNUSABLE_MODEL` */
export function decodeOrder(bytes: Uint8Array): Order {
  const { value, version } = decode('whatif-o', bytes)
  if (version === VERSION_WITHOUT_SCORES) return withoutScores(value as Order)
  return version <= VERSION_WITHOUT_RELATIONS ? withoutCrossings(value as Order) : (value as Order)
}

/** Formulas of that version may exceed the extremes of the seed. */
function withoutRelations(model: Model): Model {
  const derivations = (model.derivations ?? []).map((one) =>
    one.kind === 'formula' ? { ...one, min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY } : one,
  )
  return { ...model, derivations, relations: [] }
}

function withoutDerivations(model: Model): Model {
  const columns = model.columns.map((column) => (column.kind === 'numeric' ? { ...column, bandStarts: null } : column))
  return { ...model, columns, derivations: [] }
}

function withoutCrossings(order: Order): Order {
  const simple = (tree: Tree) => ({ ...tree, scores: (tree.scores ?? []).map((score) => ({ ...score, groups: null })) })
  return { ...order, trees: order.trees.map(simple) }
}

function withoutScores(order: Order): Order {
  return { ...order, trees: order.trees.map((tree) => ({ ...tree, scores: [] })) }
}

function encode(magic: string, value: Model | Order): Uint8Array<ArrayBuffer> {
  requireLittleEndian()
  const arrays: { readonly bytes: Uint8Array; readonly at: number }[] = []
  let payloadBytes = 0
  // An array that occurs twice (a tree that an order shares with the base) is stored once.
  const stored = new Map<AnyArray, object>()
  const store = (array: AnyArray): object => {
    const known = stored.get(array)
    if (known) return known
    const kind = kindOf(array)
    const small = kind === 'u16' ? asBytes(array as Uint16Array) : null
    const source = small ?? array
    const at = payloadBytes
    arrays.push({ bytes: new Uint8Array(source.buffer, source.byteOffset, source.byteLength), at })
    payloadBytes = align(at + source.byteLength)
    const reference = { $: small ? 'u16-small' : kind, at, n: array.length }
    stored.set(array, reference)
    return reference
  }
  const description = Buffer.from(
    JSON.stringify(value, (_, part: unknown) => {
      if (ArrayBuffer.isView(part)) return store(part as AnyArray)
      if (typeof part === 'number' && !Number.isFinite(part)) return { $: 'number', is: String(part) }
      return part
    }),
  )
  const payloadAt = align(HEADER_BYTES + description.length)
  const bytes = new Uint8Array(payloadAt + payloadBytes)
  bytes.set(Buffer.from(magic, 'latin1'))
  const view = new DataView(bytes.buffer)
  view.setUint32(8, versionFor(value), true)
  view.setUint32(12, description.length, true)
  bytes.set(description, HEADER_BYTES)
  for (const array of arrays) bytes.set(array.bytes, payloadAt + array.at)
  bytes.set(createHash('sha256').update(bytes.subarray(HEADER_BYTES)).digest(), 16)
  return bytes
}

/** The oldest that has all of the value's parts. */
function versionFor(value: Model | Order): number {
  if ('rules' in value && value.rules) return VERSION
  if ('derivations' in value && value.derivations.some((one) => one.kind === 'formula' && one.isDeclared))
    return VERSION_WITHOUT_RULES
  if ('design' in value && value.design) return VERSION_WITHOUT_DECLARED
  return 'weights' in value && value.weights ? VERSION_WITHOUT_DESIGN : VERSION_WITHOUT_WEIGHTS
}

/** The same numbers in a byte each; null if one needs more. Loops, because codes are most of a model. */
function asBytes(numbers: Uint16Array): Uint8Array | null {
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! > 255) return null
  const bytes = new Uint8Array(numbers.length)
  for (let i = 0; i < numbers.length; i++) bytes[i] = numbers[i]!
  return bytes
}

function decode(magic: string, bytes: Uint8Array): { readonly value: unknown; readonly version: number } {
  requireLittleEndian()
  if (bytes.length < HEADER_BYTES || Buffer.from(bytes.subarray(0, 8)).toString('latin1') !== magic) {
    throw unusable(`expected a file that starts with "${magic}"`)
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const version = view.getUint32(8, true)
  if (version < VERSION_WITHOUT_SCORES || version > VERSION) {
    throw unusable(`expected model format ${VERSION_WITHOUT_SCORES} to ${VERSION}, found ${version}`)
  }
  const sum = createHash('sha256').update(bytes.subarray(HEADER_BYTES)).digest()
  if (!sum.equals(bytes.subarray(16, HEADER_BYTES))) throw unusable('the checksum does not match the contents')
  const descriptionBytes = view.getUint32(12, true)
  const payloadAt = align(HEADER_BYTES + descriptionBytes)
  if (payloadAt > bytes.length) throw unusable(`${descriptionBytes} bytes of description are missing`)
  // One shared copy; all arrays are views of it.
  const payload = new SharedArrayBuffer(bytes.length - payloadAt)
  new Uint8Array(payload).set(bytes.subarray(payloadAt))
  const text = Buffer.from(bytes.subarray(HEADER_BYTES, HEADER_BYTES + descriptionBytes)).toString('utf8')
  try {
    return { value: JSON.parse(text, (_, part: unknown) => restore(part, payload)), version }
  } catch (cause) {
    throw unusable('the description does not fit the contents', cause)
  }
}

function restore(part: unknown, payload: SharedArrayBuffer): unknown {
  if (typeof part !== 'object' || part === null || !('$' in part)) return part
  if (part.$ === 'number') return Number((part as unknown as { is: string }).is)
  const { $, at, n } = part as unknown as { $: string; at: number; n: number }
  if ($ === 'u16-small') {
    const array = sharedUint16(n)
    const bytes = new Uint8Array(payload, at, n)
    for (let i = 0; i < n; i++) array[i] = bytes[i]!
    return array
  }
  const Kind = ARRAY_KINDS[$ as ArrayKind] as
    | (new (
        buffer: SharedArrayBuffer,
        at: number,
        n: number,
      ) => AnyArray)
    | undefined
  if (!Kind) throw unusable(`unknown kind of array ${$}`)
  return new Kind(payload, at, n)
}

function kindOf(array: AnyArray): ArrayKind {
  for (const [kind, Kind] of Object.entries(ARRAY_KINDS)) if (array instanceof Kind) return kind as ArrayKind
  throw new TypeError(`a model cannot hold a ${(array as object).constructor.name}`)
}

const align = (bytes: number) => Math.ceil(bytes / 8) * 8

function requireLittleEndian(): void {
  if (endianness() !== 'LE') throw unusable('model files need a little-endian machine')
}

/**
 * An order trained on demand as bytes, to be kept beside its model: the file of an order (model-file.ts) with the model's
 * checksum, and without the trees that it shares with the model's base order.
 *
 * d  columns
 */
interface OrderOfModel extends Order {
  /** Checksum of the model that it was trained from. */
  readonly model: string
  /** Length d: position in the base order of the tree used here; -1 for the next of `trees`. */
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
 * @throws WhatifError with `UNUSABLE_MODEL` when the bytes are damaged, or an order of another model or for other columns.
 */
export function decodeOrderOf(
  { base }: Model,
  model: string,
  conditioned: readonly number[],
  bytes: Uint8Array,
): Order {
  const { columns, trees, shared, ...order } = decodeOrder(bytes) as OrderOfModel
  if (order.model !== model) throw unusable('the order was trained from another model')
  const first = Array.from(columns.subarray(0, order.conditioned)).sort((a, b) => a - b)
  if (first.join() !== conditioned.toSorted((a, b) => a - b).join()) {
    throw unusable(`expected an order for columns ${conditioned.join()}, found one for ${first.join()}`)
  }
  let next = 0
  const all: Tree[] = []
  columns.forEach((column, i) => {
    const position = shared[i] ?? -1
    const tree = position < 0 ? trees[next++] : base.trees[position]
    if (tree?.target !== column) throw unusable(`the order has no tree for column ${column}`)
    all.push(tree)
  })
  return { columns, conditioned: order.conditioned, trees: all }
}
