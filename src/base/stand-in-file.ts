import { constants } from 'node:fs'
import type { FileSystem } from './atomic-file.ts'
import { ConflictMarks, lineListText } from './conflict-marks.ts'
import { utf16WithoutMark } from './text/utf-16.ts'

/** A pointer is shorter. */
const HEAD_BYTES = 4_096
const PIECE_BYTES = 1 << 20
const LF = 0x0a
const CR = 0x0d
const QUOTE = 0x22
/** With the line end before it, and the longest mark that is looked at behind it. */
const OPENING = '\n<<<<<<<'
const CLOSING = '\n>>>>>>>'
const LONGEST_MARK = 1_024

/** What a fault says of a file that was merged, and not of a pointer: the data are here, and broken. */
export const MERGE_MARKS = 'has marks of an unresolved merge'

/** Small files that version control leaves where a large one belongs, and how to get that one. */
const POINTERS: readonly (readonly [RegExp, string])[] = [
  [
    /^version https?:\/\/(?:git-lfs|hawser)\.github\.com\/spec\/v1\r?\n(?:.*\n)*?oid sha256:/,
    'is a Git LFS pointer and not the data. Fetch the data with "git lfs pull"; in CI, check out with "lfs: true"',
  ],
  [
    /^(?:[a-z_0-9]+:.*\r?\n|[ -].*\r?\n)*outs:\r?\n[ \t]*- (?:md5|etag|checksum|hash|path|size|cache): /,
    'is a DVC file that stands for the data. Fetch the data with "dvc pull", and name the file that it brings',
  ],
  [
    /^(?:\.git|\.\.)?[\w./\\-]*annex[/\\]objects[/\\]\S+\s*$/,
    'is a git-annex pointer and not the data. Fetch the data with "git annex get"',
  ],
]

/** What a short text stands for, as the rest of a sentence about it; null: it is no pointer. */
export function pointerIn(head: string): string | null {
  return POINTERS.find(([pattern]) => pattern.test(head))?.[1] ?? null
}

/**
 * Why a file is not yet the data that it should be: a pointer lies in its place, or it has marks of an unresolved merge
 * outside quotation marks. The file is read once, fast; files that are no text are not read.
 *
 * @returns the rest of a sentence about the file, without its period; null: nothing was found.
 */
export async function standInFault(
  fs: Pick<FileSystem, 'open'>,
  path: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const file = await fs.open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const read = async (bytes: Buffer, at: number) => (await file.read(bytes, 0, bytes.length, at)).bytesRead
    const head = Buffer.alloc(HEAD_BYTES)
    const bytes = head.subarray(0, await read(head, 0))
    const wide = wideOrder(bytes)
    if (wide === null && bytes.includes(0)) return null
    const pointer = pointerIn(bytes.toString('latin1'))
    if (pointer !== null) return pointer
    const letters = wide === null ? read : narrow(read, wide)
    if (!(await hasBoth(letters, signal))) return null
    const lines = await marksIn(letters, signal)
    return lines.length === 0
      ? null
      : `${MERGE_MARKS} in ${lineListText(lines)}. Keep one side of each conflict and remove the marks`
  } finally {
    await file.close()
  }
}

type Reader = (bytes: Buffer, at: number) => Promise<number>

/** Of text in UTF-16; null: it is in an encoding whose letters of ASCII are bytes, or no text. */
function wideOrder(head: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return utf16WithoutMark(head)
}

/** What no mark has. */
const OTHER = 0x3f

/** Reads text in UTF-16 as one byte a character, without its byte order mark: all marks are ASCII. */
function narrow(read: Reader, order: 'utf-16le' | 'utf-16be'): Reader {
  const [low, high] = order === 'utf-16le' ? [0, 1] : [1, 0]
  const mark = Buffer.alloc(2)
  let skipped: number | null = null
  return async (bytes, at) => {
    if (skipped === null) {
      await read(mark, 0)
      skipped = mark[low] === 0xff && mark[high] === 0xfe ? 2 : 0
    }
    const pairs = Buffer.allocUnsafe(2 * bytes.length)
    const length = (await read(pairs, skipped + 2 * at)) >> 1
    for (let i = 0; i < length; i++) bytes[i] = pairs[2 * i + high] === 0 ? pairs[2 * i + low]! : OTHER
    return length
  }
}

/** A quick look for two of the marks, which hardly any file passes. */
async function hasBoth(read: Reader, signal: AbortSignal | undefined): Promise<boolean> {
  const found = new Set<string>()
  const overlap = OPENING.length - 1
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  // A mark may be on the first line.
  piece[0] = LF
  let kept = 1
  for (let at = 0; ; ) {
    signal?.throwIfAborted()
    const length = await read(piece.subarray(kept), at)
    if (length === 0) return false
    at += length
    const bytes = piece.subarray(0, kept + length)
    for (const mark of [OPENING, CLOSING, '\n=======']) if (bytes.includes(mark)) found.add(mark)
    if (found.size >= 2) return true
    kept = Math.min(overlap, bytes.length)
    bytes.copyWithin(0, bytes.length - kept)
  }
}

/** Line by line; a mark within quotation marks belongs to a text. */
async function marksIn(read: Reader, signal: AbortSignal | undefined): Promise<readonly number[]> {
  const marks = new ConflictMarks()
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  let line = 1
  let quotes = 0
  let isQuoted = false
  let begin: number[] = []
  const end = () => {
    if (!isQuoted) marks.add(Buffer.from(begin).toString('utf8'), line)
    isQuoted = quotes % 2 === 1
    begin = []
    line++
  }
  for (let at = 0; ; ) {
    signal?.throwIfAborted()
    const length = await read(piece, at)
    if (length === 0) break
    at += length
    for (let i = 0; i < length; i++) {
      const byte = piece[i]!
      if (byte === LF) end()
      else if (byte !== CR && begin.length < LONGEST_MARK) begin.push(byte)
      if (byte === QUOTE) quotes++
    }
  }
  end()
  return marks.lines
}
