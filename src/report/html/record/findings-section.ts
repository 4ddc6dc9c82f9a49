import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { note, type Section } from '../../../base/document/block.ts'
import { bad, code, lines, muted, type Text, text } from '../../../base/document/text.ts'
import { words } from '../../../base/language/language.ts'

const MOST_FINDINGS = 200

/** What the runner remarked about the study; null when it remarked nothing. */
export function findingsSection({ manifest: { diagnostics } }: ReadManifest): Section | null {
  if (diagnostics.length === 0) return null
  const left = diagnostics.length - MOST_FINDINGS
  return {
    id: 'findings',
    title: words().record.findings.title,
    blocks: [
      {
        kind: 'terms',
        entries: diagnostics
          .slice(0, MOST_FINDINGS)
          .map(({ severity, code: what, summary, detail }) => [
            text`${severity === 'error' ? bad(severity) : severity} ${code(what)}`,
            [lines(summary), detail !== '' && [' ', muted(lines(detail))]],
          ]),
      },
      left > 0 && note(words().record.findings.more<Text>(left, code('manifest.json'))),
    ],
  }
}
