import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { html } from '../../../base/document/markup.ts'
import { code, name, type Text } from '../../../base/document/text.ts'
import { words } from '../../../base/language/language.ts'
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
    about: words().record.page.about,
    language: words().tag,
    lead,
    sections,
    origin: html`${words().record.page.madeBy<Text>(name(run.tool), code(read.digest))}`,
  })
}
