import { constants, crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  readonly name: string
  readonly content: string | Buffer
  /** The content this many times in a row; the bytes in the zip grow by a thousandth of what they stand for. */
  readonly times?: number
  /** The size in the directory; by default the true size, as far as 32 bits hold it. */
  readonly claimedBytes?: number
}

/** A zip archive. */
export function zipBytes(
  parts: readonly ZipPart[],
  claimed: { readonly entries?: number; readonly zip64?: bigint } = {},
): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content, times = 1, claimedBytes } of parts) {
    const plain = Buffer.from(content)
    // Flushed to a whole byte and without a memory of what came before, so that it can be put behind itself.
    const block = deflateRawSync(plain, { level: 9, finishFlush: constants.Z_FULL_FLUSH })
    const packed = Buffer.concat([...Array.from({ length: times }, () => block), Buffer.from([3, 0])])
    const size = Math.min(0xfffffffe, claimedBytes ?? plain.length * times)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    local.writeUInt16LE(20, 4)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt32LE(size, 22)
    local.writeUInt16LE(Buffer.byteLength(name), 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(20, 4)
    entry.writeUInt16LE(20, 6)
    entry.writeUInt16LE(8, 10)
    let checksum = 0
    for (let i = 0; i < times; i++) checksum = crc32(plain, checksum)
    entry.writeUInt32LE(checksum, 16)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(size, 24)
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    entry.writeUInt32LE(at, 42)
    files.push(local, Buffer.from(name), packed)
    directory.push(entry, Buffer.from(name))
    at += 30 + Buffer.byteLength(name) + packed.length
  }
  const { entries = parts.length, zip64 } = claimed
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(zip64 === undefined ? entries : 0xffff, 8)
  end.writeUInt16LE(zip64 === undefined ? entries : 0xffff, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(zip64 === undefined ? at : 0xffffffff, 16)
  const locator = Buffer.alloc(zip64 === undefined ? 0 : 20)
  if (zip64 !== undefined) {
    locator.writeUInt32LE(0x07064b50)
    locator.writeBigUInt64LE(zip64, 8)
  }
  return Buffer.concat([...files, ...directory, locator, end])
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

/** The parts of a workbook of one sheet, `sheet` and `strings` being the XML of its parts, or more of them. */
export function workbookParts(
  sheet: string | Omit<ZipPart, 'name'>,
  strings: string | Omit<ZipPart, 'name'> = `<sst xmlns="${MAIN}"/>`,
): ZipPart[] {
  const part = (name: string, xml: string | Omit<ZipPart, 'name'>): ZipPart =>
    typeof xml === 'string' ? { name, content: xml } : { name, ...xml }
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${REL}/${type}" Target="${target}"/>`
  const type = (name: string, kind: string) =>
    `<Override PartName="/xl/${name}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`
  return [
    part(
      '[Content_Types].xml',
      `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
        `<Default Extension="xml" ContentType="application/xml"/>${type('workbook.xml', 'sheet.main')}${type('worksheets/sheet1.xml', 'worksheet')}` +
        `${type('sharedStrings.xml', 'sharedStrings')}</Types>`,
    ),
    part(
      '_rels/.rels',
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    ),
    part(
      'xl/workbook.xml',
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${REL}"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    part(
      'xl/_rels/workbook.xml.rels',
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${relation('rId1', 'worksheet', 'worksheets/sheet1.xml')}${relation('rId2', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
    ),
    part('xl/sharedStrings.xml', strings),
    part('xl/worksheets/sheet1.xml', sheet),
  ]
}

/** XML of a sheet with these rows of cells, which are XML themselves; `before` comes ahead of the sheet. */
export function sheetXml(rows: readonly string[], before = ''): string {
  return `${HEAD}${before}<worksheet xmlns="${MAIN}"><sheetData>${rows.map((row) => `<row>${row}</row>`).join('')}</sheetData></worksheet>`
}

export function textCell(text: string): string {
  return `<c t="inlineStr"><is><t>${text}</t></is></c>`
}
