import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import type { FileSystem } from '../../base/atomic-file.ts'
import { isInside, portablePath } from '../../base/paths.ts'
import { fileFaultText } from '../../base/text/file-fault.ts'
import { parseMargins } from '../../data/margins/parse-margins.ts'
import { diagnose } from '../../study/diagnostics/diagnose.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import type { MarginsFile } from '../../study/margins/margins-file.ts'
import type { Located } from '../../study/yaml/located-node.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import { refuseHiddenMargins } from './hidden-paths.ts'
import { outsideProject, realPlace } from './project-paths.ts'

/** As many as a study file has. */
const MOST_BYTES = 2 ** 20

export interface MarginsPlace {
  readonly fs: FileSystem
  readonly studyFolder: string
  readonly projectRoot: string
}

/**
 * Reads the files of margins that a study names, by the path as it writes them. As with seed files, it refuses before anything is read
 * what a study from a pull request must not reach: places outside the project, hidden files, devices, pipes and folders. Whatever
 * keeps a file from being read is a finding about the study.
 */
export async function readMarginsFiles(
  named: readonly Located<string>[],
  place: MarginsPlace,
): Promise<ReadonlyMap<string, MarginsFile | Diagnostic>> {
  const files = new Map<string, MarginsFile | Diagnostic>()
  for (const path of named) if (!files.has(path.value)) files.set(path.value, await readMargins(path, place))
  return files
}

async function readMargins(
  { value, range }: Located<string>,
  { fs, studyFolder, projectRoot }: MarginsPlace,
): Promise<MarginsFile | Diagnostic> {
  const unreadable = (why: string): Diagnostic =>
    diagnose('S1311', { summary: `the margins "${value}" cannot be read`, range, detail: why })
  try {
    const written = resolve(studyFolder, value)
    await refuseHiddenMargins(fs, projectRoot, { text: value, path: written, range })
    const [path, root] = await Promise.all([realPlace(fs, written), realPlace(fs, projectRoot)])
    if (!isInside(root, path))
      throw outsideProject(range, `the margins "${value}" are outside the project`, 'put the file inside')
    const stats = await fs.stat(path)
    if (!stats.isFile()) return unreadable(`it is ${stats.isDirectory() ? 'a folder' : 'not a regular file'}`)
    if (Number(stats.size) > MOST_BYTES) return unreadable(`it has ${stats.size} bytes, more than ${MOST_BYTES}`)
    const bytes = Buffer.from(await fs.readFile(path))
    const text = decoded(bytes)
    if (text === null) return unreadable('it is not UTF-8 text; save it as UTF-8')
    return {
      filename: portablePath(root, path),
      sha256: createHash('sha256').update(bytes).digest('hex'),
      ...parseMargins(text),
    }
  } catch (error) {
    if (error instanceof RunRefusalError) return error.diagnostics[0] ?? unreadable(error.message)
    return unreadable(fileFaultText(error))
  }
}

function decoded(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
