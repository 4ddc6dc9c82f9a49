import type { ReadManifest } from '../answers/manifest/parse-manifest.ts'
import { SCENARIO_STATUSES } from '../answers/manifest/scenario-statuses.ts'
import { countText } from '../base/text/amount-text.ts'
import type { Manifest } from '../records/manifest/manifest.ts'
import { markdownSections, markdownText } from './document/markdown-blocks.ts'
import { code, nameList, strong, type Text, text } from './document/text.ts'
import { reportSections } from './html/page/report-sections.ts'

/** The beginning of a report, which identifies it. */
export const MARKDOWN_MARK = '<!-- whatif report'

/**
 * A manifest as a document for people: GitHub Flavored Markdown, a function of the manifest alone. It has the sections of
 * the page, without pictures.
 */
export function reportMarkdown(read: ReadManifest): string {
  const { manifest, digest } = read
  const { study, run } = manifest
  const cite = text`To cite: manifest digest ${code(digest)}${study.digest !== null && [', study digest ', code(study.digest)]}. Run ${code(run.id)}, ended ${code(run.finished_at ?? 'not yet')}, whatif ${code(run.tool)}.`
  return [
    `${MARKDOWN_MARK}, version 1 -->`,
    `# ${markdownText(code(study.name))}`,
    '',
    markdownText(summary(manifest)),
    '',
    markdownText(cite),
    '',
    ...markdownSections(reportSections(read)),
  ]
    .join('\n')
    .replace(/\n+$/, '\n')
}

function summary({ status, outcome, totals }: Manifest): Text {
  const parts = [
    `${countText(totals.ready)} of ${countText(totals.scenarios)} scenarios ready`,
    ...SCENARIO_STATUSES.filter((kind) => kind !== 'ready' && totals[kind] > 0).map(
      (kind) => `${countText(totals[kind])} ${kind.replace('_', ' ')}`,
    ),
    `${countText(totals.rows_generated)} of ${countText(totals.rows_requested)} rows`,
  ]
  const end =
    outcome !== null && text`, exit code ${outcome.exit_code} (${nameList([outcome.reason, ...outcome.also])})`
  return text`Run ${strong(status)}${end}: ${parts.join(', ')}.`
}
