const KEY_PATTERN = /^[a-z]+\/[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}$/

/** Whether a name is one that a blob can have: where blobs are kept, there may be other things. */
export function isBlobKey(name: string): boolean {
  return KEY_PATTERN.test(name) && !name.startsWith('scratch/')
}

/** @throws RangeError for a key of another shape: keys never lead out of where blobs are kept. */
export function checkBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new RangeError(`not a blob key: ${key}`)
}
