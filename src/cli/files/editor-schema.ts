import { existsSync, readFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { mkdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { writeAtomically } from '../../base/atomic-file.ts'
import { escapeJson, escapeText } from '../../base/text/escape-text.ts'
import { makeStateFolder, repositoryRootOf } from '../../local/project-root.ts'
import { SetupError } from '../../local/setup-error.ts'
import { shownPath } from './new-files.ts'

/** The JSON Schema that an editor finds by the first line of a study: `# yaml-language-server: $schema=PATH`. */

const PUBLISHED = 'schemas/study.v1.json'

/** For projects in which whatif is not installed, from the project's root. */
export const SCHEMA_COPY = '.whatif/study.v1.schema.json'

/** How the first line of a study in `studyFolder` names a schema: the path is relative, because other machines have other folders. */
export function schemaReference(studyFolder: string, schemaFile: string): string {
  const path = relative(studyFolder, schemaFile).split(sep).join('/')
  return path.startsWith('.') ? path : `./${path}`
}

/**
 * The published schema that the study's own project holds: that of the whatif installed there, or of a clone of whatif itself.
 * Null when the running whatif lies elsewhere, as with a global installation. Folders outside of the repository do not count.
 */
export function schemaInProject(studyFile: string): string | null {
  const root = repositoryRootOf(studyFile)
  for (let folder = dirname(studyFile); ; folder = dirname(folder)) {
    const installed = join(folder, 'node_modules', 'whatif', PUBLISHED)
    if (existsSync(installed)) return installed
    const own = join(folder, PUBLISHED)
    if (existsSync(own) && packageName(folder) === 'whatif') return own
    if (folder === root || dirname(folder) === folder) return null
  }
}

function packageName(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name
  } catch {
    return null
  }
}

export function schemaText(schema: object): string {
  return `${escapeJson(JSON.stringify(schema, null, 2))}\n`
}

/** Only an earlier schema is replaced: another file may be a study. */
export async function refuseOtherThanSchema(path: string, hint: string): Promise<void> {
  const isOther = await fs.readFile(path, 'utf8').then(
    (text) => text !== '' && !isSchema(text),
    () => false,
  )
  if (isOther)
    throw new SetupError(2, `${escapeText(path)}: the file exists and is not a JSON Schema; it was not replaced`, hint)
}

function isSchema(text: string): boolean {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null && '$schema' in json
  } catch {
    return false
  }
}

export async function writeSchemaFile(projectRoot: string, path: string, text: string): Promise<void> {
  try {
    // The folder of state and caches ignores itself from git.
    if (path.startsWith(join(projectRoot, '.whatif') + sep)) makeStateFolder(projectRoot)
    await mkdir(dirname(path), { recursive: true })
    await writeAtomically(fs, path, text)
  } catch (error) {
    throw new SetupError(2, `${shownPath(path)} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}
