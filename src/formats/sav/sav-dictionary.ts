import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { damagedSav, SavCursor } from './sav-cursor.ts'

/*
 * The records before the data, as bytes and numbers. Nothing is decoded here, since the record that names the encoding
 * comes late. Layout after "System File Format" of the PSPP developers' manual.
 */

/** A variable record that begins a variable, or a segment of a very long string. */
export interface SavRecord {
  readonly shortName: Buffer
  /** 0 = numeric, else bytes of a string, 1 to 255. */
  readonly width: number
  /** SPSS's number of the print format, such as 20 = DATE. */
  readonly format: number
  /** Negative: -2 = a range, -3 = a range and a value. */
  readonly missingCount: number
  /** Eight bytes each. */
  readonly missing: readonly Buffer[]
  /** Index among the 8-byte elements of a case. */
  readonly element: number
  /** The variable's label, at most the first 4 KiB; null = none. */
  readonly label: Buffer | null
  labels: SavLabelSet | null
}

/** Values, of 8 bytes or as long as the string, with the labels; the file lists the variables that share them. */
export type SavLabelSet = readonly { readonly value: Buffer; readonly label: Buffer }[]

export interface SavDictionary {
  readonly littleEndian: boolean
  /** 0 = none, 1 = bytecode, 2 = zlib around bytecode. */
  readonly compression: number
  readonly bias: number
  /** Null = not declared. */
  readonly caseCount: number | null
  /** Element of the weight variable, from 1; 0 = none. */
  readonly weightElement: number
  readonly systemMissing: number
  readonly records: readonly SavRecord[]
  /** Elements of 8 bytes per case. */
  readonly caseElements: number
  /** Of the machine's record: a Windows code page; null = not declared. */
  readonly codePage: number | null
  /** Content of the extension records by their number. */
  readonly extensions: ReadonlyMap<number, Buffer>
  /** Offset in the file at which the data begin. */
  readonly dataStart: number
}

const MAX_CASE_ELEMENTS = 1_048_576
const MAX_LABELS = 500_000
/** Of a variable's label; SPSS writes at most 256. */
const MAX_LABEL_BYTES = 4_096
/** Extension records that are read. */
const WANTED = new Set([7, 11, 13, 14, 16, 19, 20, 21, 22])

/**
 * Parses everything before the data.
 *
 * @param bytes the beginning of the file.
 * @throws {ReadOtherwiseError} when it ends within the dictionary.
 * @throws {UnreadableFileError}
 */
export function parseSavDictionary(bytes: Buffer, fileSize: number): SavDictionary {
  const cursor = new SavCursor(bytes, fileSize)
  const header = parseHeader(cursor)
  const records: SavRecord[] = []
  const byElement = new Map<number, SavRecord>()
  const extensions = new Map<number, Buffer>()
  let elements = 0
  let labels = 0
  let continued = 0
  let labelSet: SavLabelSet | null = null
  let codePage: number | null = null
  let systemMissing = -Number.MAX_VALUE
  for (;;) {
    const type = cursor.int32()
    if (type !== 2 && continued > 0) throw damagedSav('a text variable has fewer segments than its width requires')
    if (type === 999) {
      cursor.skip(4)
      break
    }
    if (type === 2) {
      const record = parseVariable(cursor, elements)
      if ((record === null) !== continued > 0) throw damagedSav('its variables are not in a valid sequence')
      if (record === null) continued--
      else {
        records.push(record)
        byElement.set(elements, record)
        continued = Math.max(0, Math.ceil(record.width / 8) - 1)
      }
      elements++
      if (elements > MAX_CASE_ELEMENTS) {
        throw new UnreadableFileError('The SPSS file has more or wider variables than can be read.')
      }
    } else if (type === 3) {
      labelSet = parseLabels(cursor, MAX_LABELS - labels)
      labels += labelSet.length
    } else if (type === 4) {
      if (labelSet === null) throw damagedSav('value labels are missing')
      const count = cursor.int32()
      if (count < 0) throw damagedSav('a count is negative')
      for (let i = 0; i < count; i++) {
        const record = byElement.get(cursor.int32() - 1)
        if (record !== undefined) record.labels = labelSet
      }
      labelSet = null
    } else if (type === 6) {
      const lines = cursor.int32()
      cursor.skip(lines * 80)
    } else if (type === 7) {
      const subtype = cursor.int32()
      const size = cursor.int32()
      const count = cursor.int32()
      if (size < 0 || count < 0) throw damagedSav('a length is negative')
      const end = cursor.offset + size * count
      if (subtype === 3 && size === 4 && count >= 8) {
        cursor.skip(28)
        codePage = cursor.int32()
      } else if (subtype === 4 && size === 8 && count >= 1) systemMissing = cursor.float64()
      else if (WANTED.has(subtype)) extensions.set(subtype, cursor.bytes(size * count))
      cursor.skip(end - cursor.offset)
    } else throw damagedSav(`there is no record of type ${type}`)
  }
  if (records.length === 0) throw new UnreadableFileError('The SPSS file has no variables.')
  return {
    ...header,
    caseCount: header.caseCount ?? longCaseCount(extensions.get(16), header.littleEndian),
    systemMissing,
    records,
    caseElements: elements,
    codePage,
    extensions,
    dataStart: cursor.offset,
  }
}

function parseHeader(cursor: SavCursor) {
  cursor.skip(64)
  const layout = cursor.bytes(4)
  const isLayout = (code: number) => code === 2 || code === 3
  if (!isLayout(layout.readInt32LE()) && !isLayout(layout.readInt32BE()))
    throw damagedSav('its byte order cannot be recognized')
  cursor.littleEndian = isLayout(layout.readInt32LE())
  cursor.skip(4)
  const compression = cursor.int32()
  if (compression < 0 || compression > 2) throw damagedSav('its compression is not known')
  const weightElement = cursor.int32()
  const cases = cursor.int32()
  const bias = cursor.float64()
  if (!Number.isFinite(bias)) throw damagedSav('its numbers are not of the usual kind')
  cursor.skip(84)
  const caseCount = cases < 0 ? null : cases
  return { littleEndian: cursor.littleEndian, compression, weightElement, caseCount, bias }
}

/** Null = a record that continues a string. */
function parseVariable(cursor: SavCursor, element: number): SavRecord | null {
  const width = cursor.int32()
  const hasLabel = cursor.int32()
  const missingCount = cursor.int32()
  const format = (cursor.int32() >>> 16) & 0xff
  cursor.skip(4)
  const shortName = cursor.bytes(8)
  if (width < -1 || width > 255) throw damagedSav('a variable has an invalid width')
  if (missingCount < -3 || missingCount > 3 || missingCount === -1)
    throw damagedSav('a count of missing values is wrong')
  let label: Buffer | null = null
  if (hasLabel === 1) {
    const length = cursor.int32()
    if (length < 0) throw damagedSav('a length is negative')
    label = cursor.bytes(Math.min(length, MAX_LABEL_BYTES))
    cursor.skip(Math.ceil(length / 4) * 4 - label.length)
  } else if (hasLabel !== 0) throw damagedSav('a variable record is invalid')
  const missing = Array.from({ length: Math.abs(missingCount) }, () => cursor.bytes(8))
  return width === -1 ? null : { shortName, width, format, missingCount, missing, element, label, labels: null }
}

function parseLabels(cursor: SavCursor, most: number): SavLabelSet {
  const count = cursor.int32()
  if (count < 0) throw damagedSav('a count is negative')
  if (count > most) throw new UnreadableFileError(`The SPSS file has more than ${MAX_LABELS} value labels.`)
  const set: { value: Buffer; label: Buffer }[] = []
  for (let i = 0; i < count; i++) {
    const value = cursor.bytes(8)
    const length = cursor.byte()
    const label = cursor.bytes(length)
    // The length byte and the label together fill multiples of 8.
    cursor.skip(7 - (length % 8))
    set.push({ value, label })
  }
  return set
}

/** Number of cases of record 16, which counts beyond 2^31; null = none. */
function longCaseCount(record: Buffer | undefined, littleEndian: boolean): number | null {
  if (record === undefined || record.length < 16) return null
  const count = littleEndian ? record.readBigInt64LE(8) : record.readBigInt64BE(8)
  return count < 0n || count > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(count)
}
