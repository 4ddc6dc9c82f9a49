import type { ReadManifest } from '../../../answers/manifest/parse-manifest.ts'
import { type Block, fold, heading, only, paragraph, type Section, type Terms } from '../../../base/document/block.ts'
import { html, type Markup } from '../../../base/document/markup.ts'
import { code, name, type Text } from '../../../base/document/text.ts'
import { words } from '../../../base/language/language.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import { own } from '../../scenario-names.ts'
import { statusText } from '../../status-text.ts'
import { resultTable } from '../../tables/result-table.ts'

/** More results than this are folded. */
const MOST_OPEN = 30

/** What made the results, how to make them again and how to cite them. */
export function provenanceSection(read: ReadManifest): Section {
  const { manifest } = read
  const results = resultTable(manifest)
  const count = results.rows.length
  const { provenance: say } = words().record
  return {
    id: 'provenance',
    title: say.title,
    blocks: [
      only('page', heading(say.toCite)),
      only('page', paragraph(citation(read), 'cite')),
      only('page', heading(say.toRepeat)),
      repetition(manifest),
      heading(say.run),
      runTerms(read),
      heading(say.data),
      ...datasetTerms(manifest),
      heading(say.results),
      count > MOST_OPEN
        ? fold(say.scenarios(count), [{ ...results, isBare: true }], 'long')
        : { ...results, isBare: true },
    ],
  }
}

const citation = ({ manifest: { study, run }, digest }: ReadManifest): Text =>
  words().record.provenance.citation<Text>({
    ...{ study: name(study.name), run: name(run.id), ended: run.finished_at, tool: name(run.tool) },
    ...{ digest: code(digest), studyDigest: study.digest === null ? null : code(study.digest) },
  })

/** The manifest does not hold the path of the study file, so the command shows how such a file is usually named. */
function repetition({ study, run }: Manifest): Markup {
  const checkout = run.git === null ? null : `git checkout ${run.git.commit}\n`
  const scope = run.scope === null ? '' : ` --scope ${run.scope}`
  const trial = run.trial === undefined ? '' : ` --rows ${run.trial}`
  return html`<pre>${checkout}whatif run ${study.name}.study.yaml${scope}${trial}</pre>
<p class="note">${words().record.provenance.repeat<Text>(code(`${study.name}.study.yaml`), run.git?.dirty === true, code('whatif diff'))}</p>
`
}

function runTerms({ manifest: { run, study, outcome, status }, digest }: ReadManifest): Terms {
  const { provenance: say } = words().record
  const { terms } = say
  const end =
    outcome === null
      ? statusText(status)
      : `${statusText(status)}${say.exitCode(outcome.exit_code, [outcome.reason, ...outcome.also].join(', '))}`
  return {
    kind: 'terms',
    entries: [
      [terms.run, name(run.id)],
      [terms.endedAs, end],
      [terms.started, run.started_at],
      [terms.ended, run.finished_at ?? say.notYet],
      ['whatif', name(run.tool)],
      ['Node.js', name(run.node)],
      [terms.service, run.service],
      [terms.commit, run.git && [code(run.git.commit), run.git.dirty && say.uncommitted]],
      [terms.scope, run.scope && name(run.scope)],
      ['CI', run.ci && name(run.ci)],
      [terms.manifestDigest, code(digest)],
      [terms.studyDigest, study.digest && code(study.digest)],
    ],
  }
}

const datasetTerms = ({ datasets, trace }: Manifest): Block[] =>
  Object.entries(datasets).map(([id, { source, sha256, fingerprint, schema_sha256 }]) => {
    const traced = own(trace.datasets, id)
    const { terms, noFile } = words().record.provenance
    return {
      kind: 'terms',
      entries: [
        [terms.dataset, name(id)],
        [terms.seedFile, source === null ? noFile : name(source)],
        [terms.sha256, sha256 && code(sha256)],
        [terms.fingerprint, fingerprint && code(fingerprint)],
        [terms.schema, schema_sha256 && code(schema_sha256)],
        [terms.model, traced?.model_id && code(traced.model_id)],
        [terms.trained, traced?.trained_at],
      ],
    }
  })
