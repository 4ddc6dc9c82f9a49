import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { firstScreen } from '../answer/first-screen.ts'
import { html } from '../markup.ts'
import { name } from '../names.ts'
import { comparisonsSection } from '../record/comparisons-section.ts'
import { findingsSection } from '../record/findings-section.ts'
import { gatesSection } from '../record/gates-section.ts'
import { provenanceSection } from '../record/provenance-section.ts'
import { backtestSection } from '../sections/backtest-section.ts'
import { furtherSections } from '../sections/further-sections.ts'
import { framePage } from './frame.ts'
import { HTML_MARK } from './page-mark.ts'

/**
 * A manifest as one HTML file for people: the answer, then what it rests on. The same manifest
 * gives the same bytes.
 */
export function reportHtml(read: ReadManifest): string {
  const { study } = read.manifest
  const sections = [
    ...furtherSections(read),
    comparisonsSection(read),
    backtestSection(read),
    gatesSection(read),
    findingsSection(read),
    provenanceSection(read),
  ].filter((section) => section !== null)
  return framePage({
    mark: HTML_MARK,
    title: study.name,
    about: 'what-if study',
    language: 'en',
    lead: { id: 'answer', title: 'Answer', body: firstScreen(read) },
    sections,
    origin: html`Made by whatif ${name(read.manifest.run.tool)} from a manifest with the digest <code>${read.digest}</code>.`,
  })
}
