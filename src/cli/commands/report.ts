import * as fs from 'node:fs/promises'
import { resolve } from 'node:path'
import { SetupError } from '../../local/setup-error.ts'
import type { ReadManifest } from '../../manifest/parse-manifest.ts'
import { CSV_MARK, reportCsv } from '../../report/report-csv.ts'
import { JUNIT_MARK, reportJunit } from '../../report/report-junit.ts'
import { MARKDOWN_MARK, reportMarkdown } from '../../report/report-markdown.ts'
import { readManifestFile } from '../files/manifest-file.ts'
import { shownPath } from '../files/new-files.ts'
import { checkReportPlace, ReportFault, type ReportFile, writeReportFile } from '../files/report-files.ts'
import { jsonDocument } from '../output/json-document.ts'

const FORMS = {
  md: { mark: MARKDOWN_MARK, make: reportMarkdown },
  csv: { mark: CSV_MARK, make: reportCsv },
  junit: { mark: JUNIT_MARK, make: reportJunit },
} as const

export interface ReportFlags extends Partial<Record<keyof typeof FORMS, string>> {
  readonly overwrite?: boolean
  readonly json?: boolean
}

/**
 * `whatif report`: a manifest in other forms; without a file to write, as Markdown on stdout, in the document of `--json` where
 * that is asked for. All files or none.
 */
export async function report(file: string, flags: ReportFlags): Promise<number> {
  const read = await readManifestFile(file)
  const files = reportFiles(read, flags)
  if (files.length === 0) {
    const markdown = reportMarkdown(read)
    process.stdout.write(flags.json ? document(read, { files: [], markdown }) : markdown)
    return 0
  }
  const taken = new Set([resolve(file)])
  for (const one of files) {
    if (taken.has(one.path)) throw new SetupError(2, `${shownPath(one.path)}: it is named twice`)
    taken.add(one.path)
    await orRefuse(one, checkReportPlace(fs, one, flags.overwrite ?? false))
  }
  for (const one of files) {
    await orRefuse(one, writeReportFile(fs, one))
    process.stderr.write(`${shownPath(one.path)}: written\n`)
  }
  if (flags.json) {
    const written = files.map(({ form, path }) => ({ form, path: shownPath(path) }))
    process.stdout.write(document(read, { files: written, markdown: null }))
  }
  return 0
}

function document({ digest }: ReadManifest, data: object): string {
  return jsonDocument({ command: 'report', exitCode: 0, data: { manifest_digest: digest, ...data }, diagnostics: [] })
}

function reportFiles(read: ReadManifest, flags: ReportFlags): (ReportFile & { readonly form: string })[] {
  return (Object.keys(FORMS) as (keyof typeof FORMS)[]).flatMap((form) => {
    const path = flags[form]
    return path === undefined
      ? []
      : [{ form, path: resolve(path), text: FORMS[form].make(read), mark: FORMS[form].mark }]
  })
}

async function orRefuse(file: ReportFile, doing: Promise<void>): Promise<void> {
  await doing.catch((error: unknown) => {
    if (!(error instanceof ReportFault)) throw error
    throw new SetupError(2, `report ${shownPath(file.path)}: ${error.message}`)
  })
}
