import * as fs from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { escapeText } from '../../base/text/escape-text.ts'
import { projectRootOf } from '../../local/project-root.ts'
import { SetupError } from '../../local/setup-error.ts'
import { rememberedColumns } from '../../runner/datasets/remembered-columns.ts'
import { readStudyLock } from '../../runner/files/study-lock-file.ts'
import { RunRefusalError } from '../../runner/interface/exit-code.ts'
import { specialisedSchema } from '../../study/lock/specialised-schema.ts'
import { studySchema } from '../../study/shape/study-schema.ts'
import { refuseOtherThanSchema, schemaReference, schemaText, writeSchemaFile } from '../files/editor-schema.ts'
import { jsonDocument } from '../output/json-document.ts'

export interface SchemaFlags {
  readonly study?: string
  readonly out?: string
  readonly json?: boolean
}

/** Declares `whatif schema`. */
export function declare(command: Command): void {
  command
    .description(
      'Print the JSON Schema of study files. With --study the schema includes the columns and levels of the lock file beside ' +
        'that study, so that an editor completes real names and marks misspelt ones.',
    )
    .option('--study <file>', 'a study with a lock file')
    .option('--out <file>', 'write the schema to this file')
    .option('--json', 'print one JSON document on stdout that holds the schema')
    .action(async (flags) => {
      process.exitCode = await schema(flags)
    })
}

/**
 * `whatif schema`: the schema of studies, or of one study with the names in its lock file. The study itself is not read,
 * because the schema is needed most while the study does not parse.
 */
export async function schema(flags: SchemaFlags): Promise<number> {
  const published = studySchema() as unknown as { readonly [key: string]: unknown }
  const made = flags.study === undefined ? published : await schemaOf(flags.study, published)
  const text = schemaText(made)
  if (flags.out === undefined) {
    process.stdout.write(flags.json ? document({ schema: made, file: null, line: null }) : text)
    return 0
  }
  const from = flags.study === undefined ? process.cwd() : dirname(resolve(flags.study))
  await refuseOtherThanSchema(flags.out, 'Pass another name to --out.')
  await writeSchemaFile(projectRootOf(join(from, 'any')), resolve(flags.out), text)
  const line = `# yaml-language-server: $schema=${schemaReference(from, resolve(flags.out))}`
  process.stderr.write(
    `${escapeText(flags.out)}: written; to use it in an editor, put this line at the top of the study:\n${escapeText(line)}\n`,
  )
  if (flags.json) process.stdout.write(document({ schema: made, file: flags.out, line }))
  return 0
}

/** `line`: the first line of a study that is checked by the file. */
function document(data: { schema: object; file: string | null; line: string | null }): string {
  return jsonDocument({ command: 'schema', data })
}

async function schemaOf(study: string, published: { readonly [key: string]: unknown }) {
  const studyFile = resolve(study)
  if (
    !(await fs.stat(studyFile).then(
      (s) => s.isFile(),
      () => false,
    ))
  )
    throw new SetupError(2, `study file ${study}: there is no such file`)
  const place = { studyFile, projectRoot: projectRootOf(studyFile), allowOutside: false }
  const { lock, name } = await readStudyLock(fs, place).catch((error: unknown) => {
    if (!(error instanceof RunRefusalError)) throw error
    throw new SetupError(
      2,
      escapeText(error.message),
      `Run whatif lock ${study}, which makes it again from the study and its data`,
    )
  })
  if (lock === null) throw new SetupError(2, `there is no ${name} beside the study`, `Run first: whatif lock ${study}`)
  return specialisedSchema(published, lock, name, await rememberedColumns(fs, place.projectRoot, studyFile))
}
