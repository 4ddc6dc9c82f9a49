import { UnreadableFileError } from '../reading/unreadable-file-error.ts'

/** Streams of a compound file begin at multiples of this: 64 bytes in the mini stream, 512 elsewhere. */
const LEAST_SECTOR = 64

/** Records of BIFF8 ([MS-XLS] 2.4): id and length of two bytes each, then the data. */
const BOF = 0x0809
const WRITE_PROTECT = 0x0086
const FILE_PASS = 0x002f
const BIFF8 = 0x0600
const GLOBALS = 0x0005

/** [MS-XLS] 2.4.117: the kinds of encryption, and the versions of the second one. */
const XOR = 0x0000
const RC4 = 0x0001
const RC4_40_BITS = 0x0001

/**
 * Refuses an .xls workbook whose records are encrypted: its sheets would be read from garbled bytes.
 *
 * A workbook whose structure is protected is encrypted as well, with a password that every Excel knows, so it opens
 * without a question.
 *
 * @throws {UnreadableFileError} with the kind of encryption.
 */
export function refuseEncryptedXls(bytes: Buffer): void {
  const kind = encryptionOf(bytes)
  if (kind === null) return
  throw new UnreadableFileError(
    `The workbook is encrypted with a password (${kind}). Save it without a password, or export CSV. ` +
      'If Excel opens it without asking for one, switch off the protection of the workbook before you save.',
  )
}

/** How the workbook is encrypted; null: it is not. */
function encryptionOf(bytes: Buffer): string | null {
  for (let at = 0; at + LEAST_SECTOR <= bytes.length; at += LEAST_SECTOR) {
    if (!beginsWorkbook(bytes, at)) continue
    const next = at + 4 + bytes.readUInt16LE(at + 2)
    const kind = filePassAt(bytes, next) ?? filePassAt(bytes, afterWriteProtect(bytes, next))
    if (kind !== null) return kind
  }
  return null
}

function beginsWorkbook(bytes: Buffer, at: number): boolean {
  return (
    bytes.readUInt16LE(at) === BOF &&
    bytes.readUInt16LE(at + 2) >= 8 &&
    bytes.readUInt16LE(at + 4) === BIFF8 &&
    bytes.readUInt16LE(at + 6) === GLOBALS
  )
}

function afterWriteProtect(bytes: Buffer, at: number): number {
  const isThere = at + 4 <= bytes.length && bytes.readUInt16LE(at) === WRITE_PROTECT
  return isThere ? at + 4 + bytes.readUInt16LE(at + 2) : at
}

function filePassAt(bytes: Buffer, at: number): string | null {
  if (at + 8 > bytes.length || bytes.readUInt16LE(at) !== FILE_PASS) return null
  const [kind, version] = [bytes.readUInt16LE(at + 4), bytes.readUInt16LE(at + 6)]
  if (kind === XOR) return 'XOR obfuscation'
  if (kind !== RC4) return 'of an unknown kind'
  return version === RC4_40_BITS ? 'RC4 with 40 bits' : 'RC4 by the CryptoAPI'
}
