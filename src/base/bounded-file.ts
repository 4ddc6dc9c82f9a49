import { constants } from 'node:fs'
import type { FileSystem } from './atomic-file.ts'
import { fileFaultText } from './text/file-fault.ts'
import { WhatifError } from './whatif-error.ts'

/** Code of a file that cannot be read as text. */
export const UNREADABLE_TEXT = 'unreadable_text'

/**
 * The text of a file that may be anything: a folder, a pipe, of any size, of any bytes. A byte order mark is dropped.
 *
 * @throws WhatifError with `UNREADABLE_TEXT` and a message that continues the name of the file: "it is not UTF-8 text".
 */
export async function readBoundedText(fs: FileSystem, path: string, mostBytes: number): Promise<string> {
  try {
    // Without this flag, a named pipe without a writer would block.
    const handle = await fs.open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stats = await handle.stat()
      if (!stats.isFile()) throw unreadable('it is not a regular file')
      if (stats.size > mostBytes) throw unreadable(`it has more than ${mostBytes} bytes`)
      return new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile())
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (error instanceof WhatifError) throw error
    throw unreadable(error instanceof TypeError ? 'it is not UTF-8 text' : fileFaultText(error), error)
  }
}

function unreadable(message: string, cause?: unknown): WhatifError {
  return new WhatifError(UNREADABLE_TEXT, message, { cause })
}
