import type { Manifest } from '../manifest/manifest.ts'
import { manifestDigest } from '../study/hashing/fingerprint.ts'
import { reportCsv } from './report-csv.ts'
import { reportJunit } from './report-junit.ts'
import { reportMarkdown } from './report-markdown.ts'

const REPORTS = { markdown: reportMarkdown, csv: reportCsv, junit: reportJunit }

/** `markdown`: for people; `csv`: one row per figure; `junit`: XML with a case per scenario and per gate. */
export type ReportFormat = keyof typeof REPORTS

/** A manifest as a document, a function of the manifest alone. Names of the data become no markup, formula or XML. */
export function report(manifest: Manifest, format: ReportFormat = 'markdown'): string {
  return REPORTS[format]({ manifest, digest: manifestDigest(manifest) })
}
