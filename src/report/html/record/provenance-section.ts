import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { bytesText, countText } from '../../../base/text/amount-text.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import type { ManifestScenario } from '../../../records/manifest/scenarios.ts'
import { html, type Markup } from '../markup.ts'
import { name, own, scenarioOrder } from '../names.ts'
import type { Section } from '../section.ts'

const MOST_OPEN = 30
const MOST_ROWS = 4000

/** What made the results, how to make them again and how to cite them. */
export function provenanceSection(read: ReadManifest): Section {
  const { manifest } = read
  return {
    id: 'provenance',
    title: 'Provenance',
    body: html`<h3>To cite</h3>
<p class="cite">${citation(read)}</p>
<h3>To repeat</h3>
${repetition(manifest)}<h3>Run</h3>
${runList(read)}<h3>Data and models</h3>
${datasets(manifest)}<h3>Results</h3>
${results(manifest)}`,
  }
}

function citation({ manifest: { study, run }, digest }: ReadManifest): Markup {
  return html`${name(study.name)}: what-if study on synthetic data. Run ${name(run.id)}, ${run.finished_at === null ? 'not ended' : `ended ${run.finished_at}`}, whatif ${name(run.tool)}. Manifest digest <code>${digest}</code>${study.digest !== null && html`, study digest <code>${study.digest}</code>`}.`
}

/** The manifest does not hold the path of the study file, so the command shows how such a file is usually named. */
function repetition({ study, run }: Manifest): Markup {
  const checkout = run.git === null ? null : `git checkout ${run.git.commit}\n`
  const scope = run.scope === null ? '' : ` --scope ${run.scope}`
  const trial = run.trial === undefined ? '' : ` --rows ${run.trial}`
  return html`<pre>${checkout}whatif run ${study.name}.study.yaml${scope}${trial}</pre>
<p class="note">The manifest does not name the study file; it is usually called <code>${study.name}.study.yaml</code>. The same study, seed files, seeds and engine give the same rows. ${run.git?.dirty === true && 'Files under version control had changes that the commit does not have. '}<code>whatif diff</code> compares the manifests of two runs.</p>
`
}

function runList({ manifest: { run, study, outcome, status }, digest }: ReadManifest): Markup {
  const end =
    outcome === null
      ? status
      : `${status}, exit code ${outcome.exit_code} (${[outcome.reason, ...outcome.also].join(', ')})`
  return list([
    ['Run', name(run.id)],
    ['Ended as', html`${end}`],
    ['Started', html`${run.started_at}`],
    ['Ended', html`${run.finished_at ?? 'not yet'}`],
    ['whatif', name(run.tool)],
    ['Node.js', name(run.node)],
    ['Service', html`${run.service}`],
    ['Commit', run.git && html`<code>${run.git.commit}</code>${run.git.dirty && ', with uncommitted changes'}`],
    ['Scope', run.scope === null ? null : name(run.scope)],
    ['CI', run.ci === null ? null : name(run.ci)],
    ['Manifest digest', html`<code>${digest}</code>`],
    ['Study digest', study.digest === null ? null : html`<code>${study.digest}</code>`],
  ])
}

function list(entries: readonly (readonly [term: string, text: Markup | null | ''])[]): Markup {
  return html`<dl>${entries.map(
    ([term, text]) =>
      text &&
      html`<dt>${term}</dt><dd>${text}</dd>
`,
  )}</dl>
`
}

function datasets({ datasets: all, trace }: Manifest): Markup[] {
  return Object.entries(all).map(([id, { source, sha256, fingerprint, schema_sha256 }]) => {
    const traced = own(trace.datasets, id)
    return list([
      ['Dataset', name(id)],
      ['Seed file', source === null ? html`none: a dataset of the service` : name(source)],
      ['SHA-256 of it', sha256 && html`<code>${sha256}</code>`],
      ['Fingerprint', fingerprint && html`<code>${fingerprint}</code>`],
      ['Cleaned schema', schema_sha256 && html`<code>${schema_sha256}</code>`],
      ['Model', traced?.model_id === undefined ? null : html`<code>${traced.model_id}</code>`],
      ['Trained', traced?.trained_at ? html`${traced.trained_at}` : null],
    ])
  })
}

function results(manifest: Manifest): Markup {
  const ids = scenarioOrder(manifest)
  const left = ids.length - MOST_ROWS
  const table = html`<div class="scroll" tabindex="0" role="group" aria-label="Results"><table>
<thead><tr><th scope="col">Scenario</th><th scope="col" class="t">Status</th><th scope="col">Rows</th><th scope="col">Asked for</th><th scope="col">Seed</th><th scope="col" class="t">File</th><th scope="col" class="t">SHA-256</th></tr></thead>
<tbody>${ids.slice(0, MOST_ROWS).map((id) => result(id, manifest.scenarios[id]!))}</tbody></table></div>
${left > 0 && html`<p class="note">${countText(left)} more stand in <code>manifest.json</code>.</p>`}`
  return ids.length > MOST_OPEN
    ? html`<details class="long"><summary>${countText(ids.length)} scenarios</summary>${table}</details>`
    : table
}

function result(id: string, { status, rows, request, artifact, error, description }: ManifestScenario): Markup {
  return html`<tr><th scope="row">${name(id)}${description !== undefined && html`<br><span class="muted" dir="auto">${description}</span>`}</th><td class="t">${status.replace('_', ' ')}${error && html`: <span dir="auto">${error.detail}</span> <code>${error.code}</code>`}</td><td>${rows.counted === null ? '–' : countText(rows.counted)}</td><td>${countText(rows.requested)}</td><td>${request?.seed ?? '–'}</td><td class="t">${artifact ? html`${name(artifact.path)}, ${bytesText(artifact.bytes)}` : '–'}</td><td class="t">${artifact && html`<code class="hash">${artifact.sha256}</code>`}</td></tr>
`
}
