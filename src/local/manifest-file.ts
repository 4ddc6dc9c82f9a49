import { existsSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  MAX_MANIFEST_BYTES,
  NOT_A_MANIFEST,
  parseManifest,
  type ReadManifest,
  TORN_MANIFEST,
} from '../answers/manifest/parse-manifest.ts'
import { readBoundedText, UNREADABLE_TEXT } from '../base/bounded-file.ts'
import { escapeText } from '../base/text/escape-text.ts'
import { WhatifError } from '../base/whatif-error.ts'
import { SetupError } from './setup-error.ts'

const HINTS: Readonly<Record<string, string>> = {
  [NOT_A_MANIFEST]: 'A run writes its manifest to OUTPUT_FOLDER/manifest.json.',
  [TORN_MANIFEST]:
    '`whatif run STUDY` writes it again, and generates nothing that is up to date. The folder runs/ beside it has the manifests of all runs.',
}

/** Reads the manifest that the command line names. Anything else ends with exit code 2. */
export async function readManifestFile(file: string): Promise<ReadManifest> {
  try {
    return parseManifest(await readBoundedText(fs, resolve(file), MAX_MANIFEST_BYTES))
  } catch (error) {
    if (!(error instanceof WhatifError) || ![NOT_A_MANIFEST, TORN_MANIFEST, UNREADABLE_TEXT].includes(error.code))
      throw error
    const inside = join(file, 'manifest.json')
    if (existsSync(inside))
      throw new SetupError(2, `manifest ${escapeText(file)}: it is a folder`, `Name ${escapeText(inside)}.`)
    throw new SetupError(2, `manifest ${escapeText(file)}: ${error.message}`, HINTS[error.code] ?? null)
  }
}
