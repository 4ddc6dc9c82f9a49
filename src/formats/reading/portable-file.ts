/** Bytes of a line, and of each of the five fields of the header that name the file in five character sets. */
const LINE_BYTES = 80
const FIELD_BYTES = 40
const NAME = /^[A-Z0-9 -]* ?SPSS PORT FILE *$/

/** Letters, digits and the blank in EBCDIC, which is the same in all its code pages for these. */
const EBCDIC = new Map<number, string>([
  [0x40, ' '],
  [0x60, '-'],
  ...lettersFrom(0xc1, 'ABCDEFGHI'),
  ...lettersFrom(0xd1, 'JKLMNOPQR'),
  ...lettersFrom(0xe2, 'STUVWXYZ'),
  ...lettersFrom(0xf0, '0123456789'),
])

function lettersFrom(first: number, letters: string): [number, string][] {
  return [...letters].map((letter, i) => [first + i, letter])
}

/**
 * Whether a file is an SPSS portable file (.por). Its first line holds two fields, `EBCDIC SPSS PORT FILE` in EBCDIC
 * and `ASCII SPSS PORT FILE` in ASCII, of which one is readable wherever the file was written. Layout after "Portable
 * File Format" of the PSPP developers' manual.
 */
export function isPortableFile(head: Buffer): boolean {
  if (head.length < FIELD_BYTES) return false
  const first = head.subarray(0, FIELD_BYTES)
  const second = head.subarray(FIELD_BYTES, LINE_BYTES)
  return [first, second].some((field) => {
    // Blanks at the end of the line may have been cut off on the way.
    const ascii = (field === second ? trimmedLine(field) : field).toString('latin1')
    const ebcdic = Array.from(field, (byte) => EBCDIC.get(byte) ?? '?').join('')
    return NAME.test(ascii) || NAME.test(ebcdic)
  })
}

function trimmedLine(field: Buffer): Buffer {
  const end = field.findIndex((byte) => byte === 0x0a || byte === 0x0d)
  return end < 0 ? field : field.subarray(0, end)
}
