import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { TextDecoder } from 'node:util'
import { decodeWindows1252 } from '../windows-1252.ts'
import type { DetectedEncoding } from './detect-encoding.ts'

const CHUNK_BYTES = 1 << 20

/**
 * Writes the text of `source` to `target` as UTF-8 without a byte order mark, in bounded memory.
 * Bytes that have no meaning in the encoding become U+FFFD; their number is given back.
 */
export async function transcodeToUtf8(source: string, target: string, detected: DetectedEncoding): Promise<number> {
  const decode = decoderOf(detected)
  const out = await open(target, 'wx', 0o600)
  let replaced = 0
  try {
    for await (const chunk of createReadStream(source, { start: detected.bomBytes, highWaterMark: CHUNK_BYTES })) {
      const text = decode(chunk as Buffer)
      replaced += countReplacements(text)
      await out.writeFile(text)
    }
    const text = decode(null)
    replaced += countReplacements(text)
    await out.writeFile(text)
  } finally {
    await out.close()
  }
  return replaced
}

/** Decodes piece by piece; null = the end. */
function decoderOf({ encoding }: DetectedEncoding): (bytes: Uint8Array | null) => string {
  if (encoding === 'windows-1252') return (bytes) => (bytes === null ? '' : decodeWindows1252(bytes))
  const decoder = new TextDecoder(encoding === 'utf-8-damaged' ? 'utf-8' : encoding, { ignoreBOM: true })
  return (bytes) => (bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true }))
}

function countReplacements(text: string): number {
  let count = 0
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) count++
  return count
}
