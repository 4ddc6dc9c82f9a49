import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { countText } from '../../../base/text/amount-text.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import { type Block, fold, heading, only, paragraph, type Section, type Terms } from '../../document/block.ts'
import { html, type Markup } from '../../document/markup.ts'
import { own } from '../../document/names.ts'
import { code, name, type Text, text } from '../../document/text.ts'
import { resultTable } from '../../tables/result-table.ts'

/** More results than this are folded. */
const MOST_OPEN = 30

/** What made the results, how to make them again and how to cite them. */
export function provenanceSection(read: ReadManifest): Section {
  const { manifest } = read
  const results = resultTable(manifest)
  const count = results.rows.length
  return {
    id: 'provenance',
    title: 'Provenance',
    blocks: [
      only('page', heading('To cite')),
      only('page', paragraph(citation(read), 'cite')),
      only('page', heading('To repeat')),
      repetition(manifest),
      heading('Run'),
      runTerms(read),
      heading('Data and models'),
      ...datasetTerms(manifest),
      heading('Results'),
      count > MOST_OPEN
        ? fold(`${countText(count)} scenarios`, [{ ...results, isBare: true }], 'long')
        : { ...results, isBare: true },
    ],
  }
}

const citation = ({ manifest: { study, run }, digest }: ReadManifest): Text =>
  text`${name(study.name)}: what-if study on synthetic data. Run ${name(run.id)}, ${run.finished_at === null ? 'not ended' : `ended ${run.finished_at}`}, whatif ${name(run.tool)}. Manifest digest ${code(digest)}${study.digest !== null && text`, study digest ${code(study.digest)}`}.`

/** The manifest does not hold the path of the study file, so the command shows how such a file is usually named. */
function repetition({ study, run }: Manifest): Markup {
  const checkout = run.git === null ? null : `git checkout ${run.git.commit}\n`
  const scope = run.scope === null ? '' : ` --scope ${run.scope}`
  const trial = run.trial === undefined ? '' : ` --rows ${run.trial}`
  return html`<pre>${checkout}whatif run ${study.name}.study.yaml${scope}${trial}</pre>
<p class="note">The manifest does not name the study file; it is usually called <code>${study.name}.study.yaml</code>. The same study, seed files, seeds and engine give the same rows. ${run.git?.dirty === true && 'Files under version control had changes that the commit does not have. '}<code>whatif diff</code> compares the manifests of two runs.</p>
`
}

function runTerms({ manifest: { run, study, outcome, status }, digest }: ReadManifest): Terms {
  const end =
    outcome === null
      ? status
      : `${status}, exit code ${outcome.exit_code} (${[outcome.reason, ...outcome.also].join(', ')})`
  return {
    kind: 'terms',
    entries: [
      ['Run', name(run.id)],
      ['Ended as', end],
      ['Started', run.started_at],
      ['Ended', run.finished_at ?? 'not yet'],
      ['whatif', name(run.tool)],
      ['Node.js', name(run.node)],
      ['Service', run.service],
      ['Commit', run.git && [code(run.git.commit), run.git.dirty && ', with uncommitted changes']],
      ['Scope', run.scope && name(run.scope)],
      ['CI', run.ci && name(run.ci)],
      ['Manifest digest', code(digest)],
      ['Study digest', study.digest && code(study.digest)],
    ],
  }
}

const datasetTerms = ({ datasets, trace }: Manifest): Block[] =>
  Object.entries(datasets).map(([id, { source, sha256, fingerprint, schema_sha256 }]) => {
    const traced = own(trace.datasets, id)
    return {
      kind: 'terms',
      entries: [
        ['Dataset', name(id)],
        ['Seed file', source === null ? 'none: a dataset of the service' : name(source)],
        ['SHA-256 of it', sha256 && code(sha256)],
        ['Fingerprint', fingerprint && code(fingerprint)],
        ['Cleaned schema', schema_sha256 && code(schema_sha256)],
        ['Model', traced?.model_id && code(traced.model_id)],
        ['Trained', traced?.trained_at],
      ],
    }
  })
