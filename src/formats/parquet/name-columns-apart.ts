/**
 * DuckDB treats names as equal that differ only in case, and would write `a` and `A` as `a` and `A_1`. Such columns are
 * written under unique names, and get their own names in the file's footer, the only place with names.
 */
import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'

/** Length of the footer and the magic, after the footer. */
const TAIL_BYTES = 8

export interface ApartNames {
  /** One for every column; no two are equal without regard to case. */
  readonly written: readonly string[]
  /** Written → own name, where they differ. */
  readonly own: ReadonlyMap<string, string>
}

export function nameColumnsApart(names: readonly string[]): ApartNames {
  const taken = new Set<string>()
  const own = new Map<string, string>()
  const written = names.map((name) => {
    const key = name.toLowerCase()
    const isFree = !taken.has(key)
    taken.add(key)
    if (isFree) return name
    const apart = randomUUID()
    own.set(apart, name)
    return apart
  })
  return { written, own }
}

/** Gives the columns of a whole Parquet file their own names. */
export async function writeOwnNames(path: string, { own }: ApartNames): Promise<void> {
  if (own.size === 0) return
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    const tail = Buffer.alloc(TAIL_BYTES)
    await file.read(tail, 0, TAIL_BYTES, size - TAIL_BYTES)
    const footer = Buffer.alloc(tail.readUInt32LE(0))
    const start = size - TAIL_BYTES - footer.length
    await file.read(footer, 0, footer.length, start)
    // Nothing in the footer counts the footer's own bytes, so its texts may have another length.
    let bytes = footer.toString('latin1')
    for (const [written, name] of own) bytes = bytes.replaceAll(thriftText(written), () => thriftText(name))
    const renamed = Buffer.from(bytes, 'latin1')
    tail.writeUInt32LE(renamed.length)
    await file.truncate(start)
    await file.write(Buffer.concat([renamed, tail]), 0, renamed.length + TAIL_BYTES, start)
  } finally {
    await file.close()
  }
}

/**
 * A text in Thrift's compact protocol: its length, seven bits per byte, and its bytes; here one character is one byte.
 */
function thriftText(text: string): string {
  const bytes = Buffer.from(text, 'utf8')
  const length: number[] = []
  let left = bytes.length
  for (; left >= 0x80; left >>>= 7) length.push((left & 0x7f) | 0x80)
  return Buffer.concat([Buffer.from([...length, left]), bytes]).toString('latin1')
}
