import * as fs from 'node:fs/promises'
import { mkdir } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { writeAtomically } from '../../manifest/atomic-file.ts'
import { RunRefusal } from '../../run/exit-code.ts'
import { readLockFile } from '../../run/files/lock-file.ts'
import { escapeJson, escapeText } from '../../spec/diagnostics/escape-text.ts'
import { specialisedSchema } from '../../spec/lock/specialised-schema.ts'
import { studySchema } from '../../spec/shape/study-schema.ts'
import { CommandError } from '../command-error.ts'
import { makeStateFolder, projectRootOf } from '../project-root.ts'

export interface SchemaFlags {
  readonly study?: string
  readonly out?: string
}

/**
 * `whatif schema`: the schema of studies, or of one study with the names of its lock. The study itself is not read: this
 * is wanted most while it does not parse.
 */
export async function schema(flags: SchemaFlags): Promise<number> {
  const published = studySchema() as unknown as { readonly [key: string]: unknown }
  const made = flags.study === undefined ? published : await schemaOf(flags.study, published)
  const text = `${escapeJson(JSON.stringify(made, null, 2))}\n`
  if (flags.out === undefined) {
    process.stdout.write(text)
    return 0
  }
  const from = flags.study === undefined ? process.cwd() : dirname(resolve(flags.study))
  await refuseOther(flags.out)
  await write(projectRootOf(join(from, 'any')), resolve(flags.out), text)
  const path = relative(from, resolve(flags.out)).split(sep).join('/')
  const line = `# yaml-language-server: $schema=${path.startsWith('.') ? '' : './'}${path}`
  process.stderr.write(
    `${escapeText(flags.out)}: written; an editor finds it by the study's first line:\n${escapeText(line)}\n`,
  )
  return 0
}

async function schemaOf(study: string, published: { readonly [key: string]: unknown }) {
  const studyFile = resolve(study)
  if (
    !(await fs.stat(studyFile).then(
      (s) => s.isFile(),
      () => false,
    ))
  )
    throw new CommandError(2, `study file ${study}: there is no such file`)
  const place = { studyFile, projectRoot: projectRootOf(studyFile), allowOutside: false }
  const { lock, name } = await readLockFile(fs, place).catch((error: unknown) => {
    if (!(error instanceof RunRefusal)) throw error
    throw new CommandError(2, escapeText(error.message), 'Delete it and run whatif lock.')
  })
  if (lock === null)
    throw new CommandError(2, `there is no ${name} beside the study`, `Run first: whatif lock ${study}`)
  return specialisedSchema(published, lock, name)
}

/** An earlier schema is replaced, and no other file: the study stands beside it. */
async function refuseOther(out: string): Promise<void> {
  const isOther = await fs.readFile(out, 'utf8').then(
    (text) => text !== '' && !isSchema(text),
    () => false,
  )
  if (isOther)
    throw new CommandError(
      2,
      `${escapeText(out)}: it is there and no JSON Schema; it is not replaced`,
      'Give --out another name.',
    )
}

function isSchema(text: string): boolean {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null && '$schema' in json
  } catch {
    return false
  }
}

async function write(root: string, path: string, text: string): Promise<void> {
  try {
    // The folder of state and caches ignores itself from git.
    if (path.startsWith(join(root, '.whatif') + sep)) makeStateFolder(root)
    await mkdir(dirname(path), { recursive: true })
    await writeAtomically(fs, path, text)
  } catch (error) {
    throw new CommandError(2, `${path} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}
