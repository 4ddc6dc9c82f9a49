import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { isInside } from '../../base/paths.ts'
import type { OutputFormat } from '../../base/result-formats.ts'
import { hashFile } from '../../base/sha256.ts'
import { fileFaultText } from '../../base/text/file-fault.ts'
import { WhatifError } from '../../base/whatif-error.ts'
import { type FirstRows, type FirstRowsRequest, MissingColumnError } from '../../formats/reading/artifact-summary.ts'
import type { ManifestArtifact } from '../../records/manifest/scenarios.ts'

/** Code of the `WhatifError` whose message continues the name of an artifact: "there is no such file". */
export const UNUSABLE_ARTIFACT = 'unusable_artifact'

/** Code of the `WhatifError` that names a column which the artifact does not have, and those that it has. */
export const UNKNOWN_COLUMN = 'unknown_column'

export interface ArtifactRows extends FirstRows {
  /** The file has other bytes than those that the manifest describes. */
  readonly isChanged: boolean
}

/**
 * The first rows of an artifact. Its path comes from a manifest, which may come from anywhere: only a file below the
 * manifest's folder is read, wherever links lead.
 *
 * @param manifestPath absolute.
 * @throws WhatifError with `UNUSABLE_ARTIFACT` or `UNKNOWN_COLUMN`.
 */
export async function artifactRows(
  manifestPath: string,
  artifact: Pick<ManifestArtifact, 'path' | 'format' | 'sha256'>,
  request: FirstRowsRequest,
): Promise<ArtifactRows> {
  const path = await artifactPlace(manifestPath, artifact.path)
  try {
    const { sha256 } = await hashFile(path)
    const { readFirstRows } = await import('../../formats/read-first-rows.ts')
    return {
      ...(await readFirstRows(path, artifact.format as OutputFormat, request)),
      isChanged: sha256 !== artifact.sha256,
    }
  } catch (error) {
    if (error instanceof MissingColumnError) throw new WhatifError(UNKNOWN_COLUMN, error.message, { cause: error })
    if (error instanceof WhatifError && error.code === 'unreadable_file') throw unusable(error.message, error)
    throw error
  }
}

/** The records of runs stand in a folder beside the artifacts. */
async function artifactPlace(manifestPath: string, path: string): Promise<string> {
  const folder = dirname(manifestPath)
  const place = basename(folder) === 'runs' ? dirname(folder) : folder
  try {
    const [within, found] = [await realpath(place), await realpath(resolve(place, path))]
    if (!isInside(within, found)) throw unusable("it is outside the manifest's folder, so it is not read")
    if (!(await stat(found)).isFile()) throw unusable('it is not a regular file')
    return found
  } catch (error) {
    if (error instanceof WhatifError) throw error
    throw unusable(fileFaultText(error), error)
  }
}

const unusable = (message: string, cause?: unknown): WhatifError =>
  new WhatifError(UNUSABLE_ARTIFACT, message, { cause })
