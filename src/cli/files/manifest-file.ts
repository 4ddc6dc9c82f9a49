import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { escapeText } from '../../base/text/escape-text.ts'
import { fileFaultText } from '../../base/text/file-fault.ts'
import { WhatifError } from '../../base/whatif-error.ts'
import { SetupError } from '../../local/setup-error.ts'
import { MAX_MANIFEST_BYTES, NOT_A_MANIFEST, parseManifest, type ReadManifest } from '../../manifest/parse-manifest.ts'

/** Reads the manifest that the command line names. Anything else ends with exit code 2. */
export async function readManifestFile(file: string): Promise<ReadManifest> {
  const what = `manifest ${escapeText(file)}`
  const text = await readBounded(resolve(file), what)
  try {
    return parseManifest(text)
  } catch (error) {
    if (!(error instanceof WhatifError && error.code === NOT_A_MANIFEST)) throw error
    throw new SetupError(2, `${what}: ${error.message}`, 'A run writes its manifest to OUTPUT_FOLDER/manifest.json.')
  }
}

async function readBounded(path: string, what: string): Promise<string> {
  // Without this, a named pipe without a writer would block.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw new SetupError(2, `${what}: ${fileFaultText(error)}`)
  })
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new SetupError(2, `${what}: it is ${stats.isDirectory() ? 'a folder' : 'not a file'}`)
    if (stats.size > MAX_MANIFEST_BYTES)
      throw new SetupError(2, `${what}: it has more than ${MAX_MANIFEST_BYTES} bytes`)
    return new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile())
  } catch (error) {
    if (error instanceof SetupError) throw error
    if (error instanceof TypeError) throw new SetupError(2, `${what}: it is not UTF-8 text`)
    throw new SetupError(2, `${what}: ${fileFaultText(error)}`)
  } finally {
    await handle.close()
  }
}
