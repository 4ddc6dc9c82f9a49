import * as fs from 'node:fs/promises'
import { resolve } from 'node:path'
import { SetupError } from '../../local/setup-error.ts'
import { EXIT_CODES, RunRefusalError } from '../../runner/interface/exit-code.ts'
import type { RunRequest } from '../../runner/interface/run-options.ts'
import { findParts } from '../../runner/shards/find-parts.ts'
import type { StudyFlags } from '../options/study-options.ts'

/** The request of a merge, with the parts that lie in `folders`. */
export async function withParts(
  request: RunRequest,
  folders: readonly string[],
  { shards }: Pick<StudyFlags, 'shards'>,
): Promise<RunRequest> {
  try {
    const asked = { folders: folders.map((folder) => resolve(folder)), of: shards ?? null }
    return { ...request, parts: await findParts(fs, request, asked) }
  } catch (error) {
    if (error instanceof RunRefusalError) throw new SetupError(EXIT_CODES.usage, error.message)
    throw error
  }
}
