import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { html } from '../markup.ts'
import type { Section } from '../section.ts'

const MOST_ROWS = 200

/** What the runner remarked about the study; null when it remarked nothing. */
export function findingsSection({ manifest: { diagnostics } }: ReadManifest): Section | null {
  if (diagnostics.length === 0) return null
  const left = diagnostics.length - MOST_ROWS
  return {
    id: 'findings',
    title: 'Findings',
    body: html`<dl class="findings">${diagnostics.slice(0, MOST_ROWS).map(
      ({
        severity,
        code,
        summary,
        detail,
      }) => html`<dt><span class="${severity === 'error' && 'bad'}">${severity}</span> <code>${code}</code></dt><dd><span dir="auto">${summary}</span>${detail !== '' && html`<br><span class="muted" dir="auto">${detail}</span>`}</dd>
`,
    )}</dl>
${left > 0 && html`<p class="note">${left} more stand in <code>manifest.json</code>.</p>`}`,
  }
}
