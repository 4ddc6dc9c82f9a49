import type { ReadManifest } from '../answers/manifest/parse-manifest.ts'
import { SCENARIO_STATUSES } from '../answers/manifest/scenario-statuses.ts'
import { markdownSections, markdownText } from '../base/document/markdown-blocks.ts'
import { code, nameList, strong, type Text } from '../base/document/text.ts'
import { words } from '../base/language/language.ts'
import { countText } from '../base/text/amount-text.ts'
import type { Manifest } from '../records/manifest/manifest.ts'
import { reportSections } from './html/page/report-sections.ts'
import { statusText } from './status-text.ts'

/** The beginning of a report, which identifies it. */
export const MARKDOWN_MARK = '<!-- whatif report'

/**
 * A manifest as a document for people: GitHub Flavored Markdown, a function of the manifest alone. It has the sections of
 * the page, without pictures.
 */
export function reportMarkdown(read: ReadManifest): string {
  const { manifest, digest } = read
  const { study, run } = manifest
  const cite: Text = words().record.markdown.cite<Text>({
    ...{ digest: code(digest), studyDigest: study.digest === null ? null : code(study.digest) },
    run: code(run.id),
    ended: code(run.finished_at ?? words().record.provenance.notYet),
    tool: code(run.tool),
  })
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
  const { markdown: say } = words().record
  const parts = [
    say.ready(totals.ready, totals.scenarios),
    ...SCENARIO_STATUSES.filter((kind) => kind !== 'ready' && totals[kind] > 0).map(
      (kind) => `${countText(totals[kind])} ${statusText(kind)}`,
    ),
    say.rows(totals.rows_generated, totals.rows_requested),
  ]
  const end: Text =
    outcome === null ? '' : say.exitCode<Text>(outcome.exit_code, nameList([outcome.reason, ...outcome.also]))
  return say.run<Text>(strong(statusText(status)), end, parts.join(words().figures.comma))
}
