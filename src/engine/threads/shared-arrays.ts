/** Typed arrays on SharedArrayBuffers, so that worker threads read and write them in place. */

export const sharedUint8 = (length: number) => new Uint8Array(new SharedArrayBuffer(length))
export const sharedUint16 = (length: number) => new Uint16Array(new SharedArrayBuffer(2 * length))
export const sharedInt16 = (length: number) => new Int16Array(new SharedArrayBuffer(2 * length))
export const sharedUint32 = (length: number) => new Uint32Array(new SharedArrayBuffer(4 * length))
export const sharedInt32 = (length: number) => new Int32Array(new SharedArrayBuffer(4 * length))
export const sharedFloat32 = (length: number) => new Float32Array(new SharedArrayBuffer(4 * length))
export const sharedFloat64 = (length: number) => new Float64Array(new SharedArrayBuffer(8 * length))

/** A shared copy of an ordinary array. */
export function share<A extends Uint8Array | Uint16Array | Uint32Array | Int16Array | Int32Array | Float64Array>(
  array: A,
): A {
  const Kind = array.constructor as new (buffer: SharedArrayBuffer) => A
  const copy = new Kind(new SharedArrayBuffer(array.byteLength))
  copy.set(array)
  return copy
}
