import { nameColumns } from '../columns/column-names.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { damagedSav, SavCursor } from './sav-cursor.ts'
import type { SavDictionary, SavLabelSet, SavRecord } from './sav-dictionary.ts'
import type { SavDecoder } from './sav-encoding.ts'
import { appendedValue } from './value-labels.ts'

interface VariableBase {
  /** Unique in the table. */
  readonly name: string
  /** What the variable means, if the file says it. */
  readonly label: string | undefined
  /** As in the records of the file, in upper case, as Latin-1. */
  readonly shortName: string
  /** Byte in the case at which the variable, or its first segment, begins. */
  readonly offset: number
  readonly hasUserMissing: boolean
}

export interface SavNumberVariable extends VariableBase {
  readonly kind: 'number'
  readonly format: number
  /** Inclusive; null = none. */
  readonly missingRange: readonly [number, number] | null
  readonly missingValues: readonly number[]
  readonly labels: ReadonlyMap<number, string> | null
  /** The file says that its values are names and not amounts. */
  readonly isNominal: boolean
}

export interface SavTextVariable extends VariableBase {
  readonly kind: 'text'
  /** Parts of the case that make up the text, one after another. */
  readonly parts: readonly { readonly start: number; readonly length: number }[]
  /** Bytes as Latin-1, without trailing blanks. */
  readonly missingValues: ReadonlySet<string>
  /** By value, as Latin-1. */
  readonly labels: ReadonlyMap<string, string> | null
}

export type SavVariable = SavNumberVariable | SavTextVariable

/** Bytes of each segment but the last that belong to a very long string; widths are still divided by 252. */
const SEGMENT_USED = 255
const SEGMENT_DECLARED = 252
const MAX_VARIABLES = 5_000
/** Around labels. */
const PADDING = /^[\s\0]+|[\s\0]+$/g
const MAX_LONG_LABELS = 500_000

/**
 * Combines the records about each variable: long names, segments of very long strings, labels, missing values.
 *
 * @throws {UnreadableFileError} when the records contradict each other.
 */
export function savVariables(
  dictionary: SavDictionary,
  decoder: SavDecoder,
): { variables: SavVariable[]; notes: readonly string[] } {
  const { records, extensions, littleEndian } = dictionary
  const longNames = pairs(extensions.get(13), /\t/)
  const widths = pairs(extensions.get(14), /\0*\t/)
  const isNominal = nominalRecords(extensions.get(11), records, littleEndian)
  const heads: { record: SavRecord; shortName: string; segments: readonly SavRecord[]; width: number }[] = []
  for (let i = 0; i < records.length; ) {
    const record = records[i]!
    const shortName = trimmedLatin1(record.shortName)
    const declared = Number.parseInt(widths.get(shortName.toUpperCase()) ?? '', 10)
    const width = record.width > 0 && declared > 255 ? declared : record.width
    const count = width > 255 ? Math.ceil(width / SEGMENT_DECLARED) : 1
    if (width > 32_767 || i + count > records.length) throw damagedSav('a long text variable lacks its segments')
    const segments = records.slice(i, i + count)
    if (segments.some((segment) => (segment.width === 0) !== (width === 0))) {
      throw damagedSav('a long text variable lacks its segments')
    }
    heads.push({ record, shortName, segments, width })
    i += count
  }
  if (heads.length > MAX_VARIABLES) {
    throw new UnreadableFileError(`The file has ${heads.length} variables; at most ${MAX_VARIABLES} can be read.`)
  }
  const named = nameColumns(
    heads.map(({ record, shortName }) => {
      const long = longNames.get(shortName.toUpperCase())
      return decoder.decode(long === undefined ? record.shortName : Buffer.from(long, 'latin1'))
    }),
  )
  const longLabels = longStringLabels(extensions.get(21), littleEndian)
  const longMissing = longStringMissing(extensions.get(22), littleEndian)
  const sets = labelMaps(littleEndian, decoder)
  const variables = heads.map(({ record, shortName, segments, width }, i): SavVariable => {
    const base = {
      name: named.names[i]!,
      label: record.label === null ? undefined : labelOf(record.label, decoder),
      shortName: shortName.toUpperCase(),
      offset: record.element * 8,
    }
    if (width === 0) {
      return {
        ...base,
        ...numericMissing(record, littleEndian),
        kind: 'number',
        format: record.format,
        labels: record.labels === null ? null : sets.numbers(record.labels),
        isNominal: isNominal(record),
      }
    }
    const keys = [longNames.get(shortName.toUpperCase()) ?? shortName, shortName]
    const find = <T>(map: ReadonlyMap<string, T>) => map.get(keys[0]!) ?? map.get(keys[1]!)
    // A range means nothing among texts.
    const discrete = record.missingCount > 0 ? record.missing : []
    const missing = [...discrete, ...(find(longMissing) ?? [])].map((value) =>
      trimmedLatin1(value.subarray(0, Math.min(width, value.length))),
    )
    const set = find(longLabels) ?? record.labels
    return {
      ...base,
      kind: 'text',
      parts: partsOf(segments, width),
      missingValues: new Set(missing),
      hasUserMissing: missing.length > 0,
      labels: set === null ? null : sets.texts(set),
    }
  })
  return { variables, notes: named.notes }
}

/** Measurement level of record 11: 1 = nominal, 2 = ordinal, 3 = scale. */
const NOMINAL = 1

/** Record 11: measurement level, width and alignment of each variable, or level and alignment. Other lengths say nothing. */
function nominalRecords(
  display: Buffer | undefined,
  records: readonly SavRecord[],
  littleEndian: boolean,
): (record: SavRecord) => boolean {
  const fields = (display?.length ?? 0) / 4 / records.length
  if (display === undefined || (fields !== 2 && fields !== 3)) return () => false
  const nominal = new Set(
    records.filter((_, i) => {
      const at = i * fields * 4
      return (littleEndian ? display.readInt32LE(at) : display.readInt32BE(at)) === NOMINAL
    }),
  )
  return (record) => nominal.has(record)
}

function labelOf(bytes: Buffer, decoder: SavDecoder): string | undefined {
  const text = decoder.decode(bytes).replaceAll(PADDING, '')
  return text === '' ? undefined : text
}

function partsOf(segments: readonly SavRecord[], width: number) {
  const parts: { start: number; length: number }[] = []
  let left = width
  for (const segment of segments) {
    const length = Math.min(left, segments.length === 1 ? segment.width : Math.min(segment.width, SEGMENT_USED))
    if (length > 0) parts.push({ start: segment.element * 8, length })
    left -= length
  }
  return parts
}

function numericMissing({ missing, missingCount }: SavRecord, littleEndian: boolean) {
  const values = missing.map((value) => (littleEndian ? value.readDoubleLE() : value.readDoubleBE()))
  const isRange = missingCount < 0
  return {
    missingRange: isRange ? ([values[0]!, values[1]!] as const) : null,
    missingValues: isRange ? values.slice(2) : values,
    hasUserMissing: values.length > 0,
  }
}

/** Without the blanks and NULs that pad a field. */
export function trimmedLatin1(bytes: Buffer): string {
  let end = bytes.length
  while (end > 0 && (bytes[end - 1] === 0x20 || bytes[end - 1] === 0)) end--
  return bytes.toString('latin1', 0, end)
}

/** `NAME=value` by upper-case name, as Latin-1. */
function pairs(record: Buffer | undefined, separator: RegExp): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const pair of (record?.toString('latin1') ?? '').split(separator)) {
    const at = pair.indexOf('=')
    if (at > 0) found.set(pair.slice(0, at).toUpperCase(), pair.slice(at + 1).replace(/[\0 ]+$/, ''))
  }
  return found
}

/**
 * Labels by value; a set is decoded once however many variables share it. Labels of several values have the value
 * appended.
 */
function labelMaps(littleEndian: boolean, decoder: SavDecoder) {
  const numbers = new Map<SavLabelSet, ReadonlyMap<number, string>>()
  const texts = new Map<SavLabelSet, ReadonlyMap<string, string>>()
  return {
    numbers: (set: SavLabelSet) =>
      remembered(numbers, set, () =>
        distinguished(set, decoder, (value) => (littleEndian ? value.readDoubleLE() : value.readDoubleBE()) + 0),
      ),
    texts: (set: SavLabelSet) => remembered(texts, set, () => distinguished(set, decoder, trimmedLatin1)),
  }
}

function remembered<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

function distinguished<K extends number | string>(
  set: SavLabelSet,
  decoder: SavDecoder,
  keyOf: (value: Buffer) => K,
): ReadonlyMap<K, string> {
  const labels = new Map<K, string>()
  for (const { value, label } of set) {
    const text = decoder.decode(label).replaceAll(PADDING, '')
    if (text !== '') labels.set(keyOf(value), text)
  }
  const uses = new Map<string, number>()
  for (const label of labels.values()) uses.set(label, (uses.get(label) ?? 0) + 1)
  for (const [key, label] of labels) if (uses.get(label)! > 1) labels.set(key, label + appendedValue(key))
  return labels
}

/** Record 21, by the variable's name. */
function longStringLabels(record: Buffer | undefined, littleEndian: boolean): ReadonlyMap<string, SavLabelSet> {
  const found = new Map<string, SavLabelSet>()
  let labels = 0
  eachEntry(record, littleEndian, (cursor, name) => {
    cursor.skip(4)
    const count = cursor.int32()
    labels += count
    if (count < 0 || labels > MAX_LONG_LABELS) throw damagedSav('a count of labels of long texts is wrong')
    const set: { value: Buffer; label: Buffer }[] = []
    for (let i = 0; i < count; i++) {
      const value = cursor.bytes(cursor.int32())
      set.push({ value, label: cursor.bytes(cursor.int32()) })
    }
    found.set(name, set)
  })
  return found
}

/** Record 22, by the variable's name. */
function longStringMissing(record: Buffer | undefined, littleEndian: boolean): ReadonlyMap<string, readonly Buffer[]> {
  const found = new Map<string, readonly Buffer[]>()
  eachEntry(record, littleEndian, (cursor, name) => {
    const count = cursor.byte()
    if (count > 3) throw damagedSav('a count of missing values is wrong')
    const length = cursor.int32()
    found.set(
      name,
      Array.from({ length: count }, () => cursor.bytes(length)),
    )
  })
  return found
}

function eachEntry(
  record: Buffer | undefined,
  littleEndian: boolean,
  read: (cursor: SavCursor, name: string) => void,
): void {
  if (record === undefined) return
  const cursor = new SavCursor(record, record.length)
  cursor.littleEndian = littleEndian
  for (let entries = 0; cursor.offset < record.length; entries++) {
    if (entries >= MAX_VARIABLES) throw damagedSav('a count of labels of long texts is wrong')
    read(cursor, trimmedLatin1(cursor.bytes(cursor.int32())))
  }
}
