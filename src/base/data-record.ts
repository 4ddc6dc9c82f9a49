/** An object whose keys are data: without a prototype, so that a level called `__proto__` is an ordinary entry. */
export function dataRecord<V>(entries: Iterable<readonly [string, V]>): Record<string, V> {
  const record: Record<string, V> = Object.create(null)
  for (const [key, value] of entries) record[key] = value
  return record
}
