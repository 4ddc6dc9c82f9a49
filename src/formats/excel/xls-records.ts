const [BOF, EOF] = [0x0809, 0x000a]

/** A record of BIFF8 ([MS-XLS] 2.4). */
export interface XlsRecord {
  readonly id: number
  readonly data: Buffer
}

/**
 * The records from a BOF to its EOF: id and length of two bytes each, then the data. Those of charts inside have a BOF and an EOF
 * of their own, and are left out.
 */
export function* xlsRecordsAt(stream: Buffer, from: number): Generator<XlsRecord> {
  let depth = 0
  for (let at = from; at + 4 <= stream.length; ) {
    const [id, length] = [stream.readUInt16LE(at), stream.readUInt16LE(at + 2)]
    if (id === BOF) depth++
    else if (id === EOF && --depth === 0) return
    if (depth === 1) yield { id, data: stream.subarray(at + 4, at + 4 + length) }
    at += 4 + length
  }
}
