import type { OutputFormat } from '../../contract/generations.ts'

const CONTENT_TYPES: Readonly<Record<OutputFormat, string>> = {
  parquet: 'application/vnd.apache.parquet',
  csv: 'text/csv; charset=utf-8; header=present',
  arrow: 'application/vnd.apache.arrow.file',
}

/** What a downloaded artifact is called, and its media type. */
export function artifactFile(generationId: string, format: OutputFormat): { fileName: string; contentType: string } {
  return { fileName: `${generationId}.${format}`, contentType: CONTENT_TYPES[format] }
}
