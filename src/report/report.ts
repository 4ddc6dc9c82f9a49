import { manifestText } from '../answers/manifest/manifest-writer.ts'
import type { ReadManifest } from '../answers/manifest/parse-manifest.ts'
import { type Language, wordsOf } from '../base/language/catalogues.ts'
import { inWords } from '../base/language/language.ts'
import type { Manifest } from '../records/manifest/manifest.ts'
import { manifestDigest } from '../study/hashing/fingerprint.ts'
import { reportHtml } from './html/page/page.ts'
import { HTML_MARK } from './html/page/page-mark.ts'
import { CSV_MARK, reportCsv } from './report-csv.ts'
import { JUNIT_MARK, reportJunit } from './report-junit.ts'
import { MARKDOWN_MARK, reportMarkdown } from './report-markdown.ts'

/** `markdown`: for people; `html`: a page with pictures, one file; `csv`: one row per figure; `junit`: XML with a case per scenario and per gate. */
export type ReportFormat = 'markdown' | 'html' | 'csv' | 'junit'

/** The writer of each report format, and the text that its reports begin with. */
export const REPORTS: Readonly<
  Record<ReportFormat, { readonly mark: string; readonly make: (read: ReadManifest) => string }>
> = {
  markdown: { mark: MARKDOWN_MARK, make: reportMarkdown },
  html: { mark: HTML_MARK, make: reportHtml },
  csv: { mark: CSV_MARK, make: reportCsv },
  junit: { mark: JUNIT_MARK, make: reportJunit },
}

/**
 * A manifest as a document. It depends on the manifest alone, and no name in the data becomes markup, formula or XML.
 */
export function report(manifest: Manifest, format: ReportFormat = 'markdown'): string {
  const digest = manifestDigest(manifest)
  if (format !== 'html') return REPORTS[format].make({ manifest, digest })
  // A file has its keys sorted: a page has the same bytes for a manifest in memory.
  return reportHtml({ manifest: JSON.parse(manifestText(manifest)) as Manifest, digest })
}

/**
 * A manifest as a document in another language, for people. Names of the study and its data stay as they are, and so do codes.
 *
 * @param language `de`, `es`, `fr`, `zh` (simplified characters), or `en`, which is that of `report`.
 */
export async function reportIn(
  language: Language,
  manifest: Manifest,
  format: 'markdown' | 'html' = 'markdown',
): Promise<string> {
  const words = await wordsOf(language)
  return inWords(words, () => report(manifest, format))
}
