import type { OutputFormat } from '../../base/result-formats.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import { renameColumns } from '../../formats/rename-columns.ts'
import { writeSav } from '../../formats/write-sav.ts'
import { originalNames } from '../../study/live-schema/original-names.ts'
import type { ResultForm } from '../../study/study.ts'
import { savColumns, seedLabels } from './sav-columns.ts'

export interface ExportRequest {
  /** The verified artifact. */
  readonly source: string
  readonly sourceFormat: OutputFormat
  /** A new file. */
  readonly target: string
  readonly form: ResultForm
  /** The cleaned schema; empty when it is unknown. */
  readonly schema: readonly AnySchemaColumn[]
  /** Headers that cleaning renamed. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  /** The seed file on this machine; null when there is none. */
  readonly seedFile: string | null
  /** Existing or new folder for data that does not fit into memory; nothing is left there. */
  readonly tempDir: string
}

/**
 * Makes a result file in the form that a study asks for, of the artifact that the service sent. Equal requests give equal
 * bytes.
 *
 * @returns notes about what the form cannot hold.
 * @throws {UnreadableFileError} when the artifact is damaged; and the signal's reason.
 */
export async function exportResult(
  request: ExportRequest,
  signal?: AbortSignal,
): Promise<{ readonly notes: readonly string[] }> {
  const { source, sourceFormat, target, form, schema, renamed, tempDir } = request
  const options = { tempDir, ...(signal && { signal }) }
  const original = originalNames(schema, renamed)
  const names = form.names === 'original' ? original.names : new Map<string, string>()
  switch (form.format) {
    case 'parquet':
    case 'csv':
    case 'arrow': {
      const { escapesFormulas = false } = form
      await renameColumns(source, sourceFormat, target, names, { ...options, escapesFormulas })
      return { notes: [] }
    }
    case 'sav':
      return await writeSav(source, target, await columnsOfSav(request, names), options)
  }
}

async function columnsOfSav(
  { schema, renamed, seedFile }: ExportRequest,
  names: ReadonlyMap<string, string>,
): Promise<ReturnType<typeof savColumns>> {
  const sources = new Map([
    ...renamed.map(({ from, to }) => [to, from] as const),
    ...schema.flatMap(({ name, source_name }) => (source_name === undefined ? [] : [[name, source_name] as const])),
  ])
  return savColumns(
    schema,
    await seedLabels(seedFile),
    (name) => sources.get(name) ?? name,
    (name) => names.get(name) ?? name,
  )
}
