import { cutToBytes } from '../../base/text/fit-text.ts'
import { BIAS } from './case-compressor.ts'

/** SPSS's numbers of formats. */
export const FORMATS = { A: 1, F: 5, DATE: 20, DATETIME: 22 } as const

/** A variable as it is written. */
export interface SavOutputVariable {
  /** As `variableNames` gives it. */
  readonly name: string
  readonly label: string | null
  /** Bytes of a text, 1 to 32,767; 0 = a number. */
  readonly width: number
  readonly format: { readonly type: number; readonly width: number; readonly decimals: number }
  /** Of a number: value and label, by ascending value. */
  readonly valueLabels: readonly (readonly [number, string])[]
  readonly measure: 'nominal' | 'ordinal' | 'scale'
}

/** Bytes that SPSS takes of a variable's label and of a value's label. */
const MAX_LABEL_BYTES = 256
export const MAX_VALUE_LABEL_BYTES = 120

/** A very long text is stored in segments of 255 bytes. Each counts as 252 bytes of its width; the last has the remainder. */
const SEGMENT_BYTES = 255
const SEGMENT_STEP = 252

const MEASURES = { nominal: 1, ordinal: 2, scale: 3 } as const
/** Columns of a variable in SPSS's data view. */
const DISPLAY_WIDTH = 8
const ALIGN_LEFT = 0
const ALIGN_RIGHT = 1

/** Numbers of less than this are missing (-DBL_MAX); the next greater one is the least number of a range. */
const SYSTEM_MISSING = -Number.MAX_VALUE
const LEAST = -1.7976931348623155e308

/** Widths of the segments of a text; one segment up to 255 bytes. */
export function segmentWidths(width: number): number[] {
  if (width <= SEGMENT_BYTES) return [width]
  const count = Math.ceil(width / SEGMENT_STEP)
  return Array.from({ length: count }, (_, i) => (i < count - 1 ? SEGMENT_BYTES : width - i * SEGMENT_STEP))
}

/**
 * Everything before the cases of an SPSS system file, in UTF-8 ("System File Format" of the PSPP developers' manual).
 * The date of creation is fixed: equal variables and rows give equal bytes.
 */
export function dictionaryBytes(variables: readonly SavOutputVariable[], rows: number): Buffer {
  const segments = variables.flatMap((variable, of) =>
    (variable.width === 0 ? [0] : segmentWidths(variable.width)).map((width, part) => ({ variable, of, width, part })),
  )
  const elements: number[] = []
  let caseElements = 0
  const records: Buffer[] = []
  for (const [i, { variable, width, part }] of segments.entries()) {
    if (part === 0) elements.push(caseElements)
    records.push(variableRecord(variable, width, shortName(i), part === 0))
    for (let rest = width - 8; rest > 0; rest -= 8) {
      records.push(Buffer.concat([int32(2, -1, 0, 0, 0, 0), blanks(8)]))
    }
    caseElements += Math.max(1, Math.ceil(width / 8))
  }
  const heads = segments.flatMap(({ part }, i) => (part === 0 ? [shortName(i)] : []))
  return Buffer.concat([
    header(caseElements, rows),
    ...records,
    ...variables.flatMap(({ valueLabels }, i) =>
      valueLabels.length === 0 ? [] : [labelRecord(valueLabels, elements[i]!)],
    ),
    ...extensions(variables, segments, heads, rows),
    int32(999, 0),
  ])
}

/** The name of a segment of a variable in the oldest of the records, which has room for eight letters. */
const shortName = (i: number): string => `V${i + 1}`

function header(caseElements: number, rows: number): Buffer {
  return Buffer.concat([
    Buffer.from('$FL2'),
    padded('@(#) SPSS DATA FILE whatif', 60),
    // Layout, elements of a case, bytecode, no weight; numbers of rows beyond 32 bits are in record 16.
    int32(2, caseElements, 1, 0, rows < 2 ** 31 ? rows : -1),
    float64(BIAS),
    Buffer.from('01 Jan 7000:00:00'),
    blanks(64),
    Buffer.alloc(3),
  ])
}

function variableRecord(variable: SavOutputVariable, width: number, name: string, isHead: boolean): Buffer {
  const { type, decimals } = variable.format
  const shown = width > 0 ? width : variable.format.width
  const format = (type << 16) | (shown << 8) | decimals
  const label = isHead && variable.label !== null ? labelBytes(variable.label) : null
  return Buffer.concat([
    int32(2, width, label === null ? 0 : 1, 0, format, format),
    padded(name, 8),
    ...(label === null ? [] : [int32(label.length), padded(label, Math.ceil(label.length / 4) * 4)]),
  ])
}

/** A label of one line: it may come from a service. */
const labelBytes = (label: string): Buffer =>
  Buffer.from(cutToBytes(label.replaceAll(/\p{Cc}+/gu, ' '), MAX_LABEL_BYTES))

function labelRecord(labels: SavOutputVariable['valueLabels'], element: number): Buffer {
  return Buffer.concat([
    int32(3, labels.length),
    ...labels.map(([value, text]) => {
      const label = Buffer.from(cutToBytes(text, MAX_VALUE_LABEL_BYTES))
      // The length and the label together fill multiples of 8.
      return Buffer.concat([
        float64(value),
        Buffer.from([label.length]),
        padded(label, Math.ceil((label.length + 1) / 8) * 8 - 1),
      ])
    }),
    int32(4, 1, element + 1),
  ])
}

function extensions(
  variables: readonly SavOutputVariable[],
  segments: readonly { readonly variable: SavOutputVariable }[],
  heads: readonly string[],
  rows: number,
): Buffer[] {
  const veryLong = variables.flatMap(({ width }, i) =>
    width > SEGMENT_BYTES ? [`${heads[i]}=${String(width).padStart(5, '0')}\0\t`] : [],
  )
  const display = segments.map(({ variable: { measure, width } }) =>
    int32(MEASURES[measure], DISPLAY_WIDTH, width > 0 ? ALIGN_LEFT : ALIGN_RIGHT),
  )
  return [
    // Version, IEEE 754, least byte first, UTF-8.
    extension(3, 4, int32(1, 0, 0, -1, 1, 1, 2, 65001)),
    extension(4, 8, Buffer.concat([SYSTEM_MISSING, Number.MAX_VALUE, LEAST].map(float64))),
    extension(11, 4, Buffer.concat(display)),
    extension(13, 1, Buffer.from(variables.map(({ name }, i) => `${heads[i]}=${name}`).join('\t'))),
    ...(veryLong.length === 0 ? [] : [extension(14, 1, Buffer.from(veryLong.join('')))]),
    extension(16, 8, Buffer.concat([int64(1), int64(rows)])),
    extension(20, 1, Buffer.from('UTF-8')),
  ]
}

const extension = (subtype: number, size: number, bytes: Buffer): Buffer =>
  Buffer.concat([int32(7, subtype, size, bytes.length / size), bytes])

function int32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) bytes.writeInt32LE(value, 4 * i)
  return bytes
}

function float64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}

function int64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(BigInt(value))
  return bytes
}

const blanks = (length: number): Buffer => Buffer.alloc(length, ' ')

function padded(text: string | Buffer, length: number): Buffer {
  const bytes = blanks(length)
  Buffer.from(text as string).copy(bytes)
  return bytes
}
