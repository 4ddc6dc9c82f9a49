import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { html } from '../../document/markup.ts'
import { name } from '../../document/text.ts'
import { framePage } from './frame.ts'
import { HTML_MARK } from './page-mark.ts'
import { reportSections } from './report-sections.ts'

/**
 * A manifest as one HTML file for people: the answer, then what it rests on. The same manifest
 * gives the same bytes.
 */
export function reportHtml(read: ReadManifest): string {
  const { study, run } = read.manifest
  const [lead, ...sections] = reportSections(read)
  return framePage({
    mark: HTML_MARK,
    title: study.name,
    about: 'what-if study',
    language: 'en',
    lead,
    sections,
    origin: html`Made by whatif ${name(run.tool)} from a manifest with the digest <code>${read.digest}</code>.`,
  })
}
