const KEY_PATTERN = /^[a-z]+\/[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}$/

/** @throws RangeError for a key of another shape: keys never lead out of where blobs are kept. */
export function checkBlobKey(key: string): void {
  if (!KEY_PATTERN.test(key) || key.startsWith('scratch/')) throw new RangeError(`not a blob key: ${key}`)
}
