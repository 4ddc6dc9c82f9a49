import type { Manifest } from '../manifest/manifest.ts'
import type { ReadManifest } from '../manifest/parse-manifest.ts'
import { manifestDigest } from '../study/hashing/fingerprint.ts'
import { CSV_MARK, reportCsv } from './report-csv.ts'
import { JUNIT_MARK, reportJunit } from './report-junit.ts'
import { MARKDOWN_MARK, reportMarkdown } from './report-markdown.ts'

/** `markdown`: for people; `csv`: one row per figure; `junit`: XML with a case per scenario and per gate. */
export type ReportFormat = 'markdown' | 'csv' | 'junit'

/** The writer of each report format, and the text that its reports begin with. */
export const REPORTS: Readonly<
  Record<ReportFormat, { readonly mark: string; readonly make: (read: ReadManifest) => string }>
> = {
  markdown: { mark: MARKDOWN_MARK, make: reportMarkdown },
  csv: { mark: CSV_MARK, make: reportCsv },
  junit: { mark: JUNIT_MARK, make: reportJunit },
}

/**
 * A manifest as a document. It depends on the manifest alone, and no name in the data becomes markup, formula or XML.
 */
export function report(manifest: Manifest, format: ReportFormat = 'markdown'): string {
  return REPORTS[format].make({ manifest, digest: manifestDigest(manifest) })
}
