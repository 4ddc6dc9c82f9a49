/** The first slide and the last ones: what was asked for, how it was made, and what to cite. */

import type { ReadManifest } from '../../answers/manifest/parse-manifest.ts'
import { evaluateGates } from '../../answers/manifest/review-manifest.ts'
import type { ComparisonAnswers } from '../../answers/words/answer-text.ts'
import { answerNotes } from '../../answers/words/difference-text.ts'
import { expectedText, foundText } from '../../answers/words/gate-text.ts'
import { verdictText } from '../../answers/words/leading-answers.ts'
import { trialText } from '../../answers/words/trial-text.ts'
import { words } from '../../base/language/language.ts'
import { countText } from '../../base/text/amount-text.ts'
import { cutText } from '../../base/text/fit-text.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import { conditionTexts } from '../html/answer/generated-table.ts'
import { own, scenarioOrder } from '../scenario-names.ts'
import { statusText } from '../status-text.ts'
import { parts, partText, type Slide } from './slide.ts'

/** Verdicts of comparisons on the first slide, and letters of a description. */
const MOST_VERDICTS = 6
const MOST_DESCRIPTION = 600

/** What was asked, what came out, and what a reader must know before the figures. */
export function openingSlide(read: ReadManifest, comparisons: readonly ComparisonAnswers[]): Slide {
  const { manifest, digest } = read
  const { study, run, totals } = manifest
  const left = comparisons.length - MOST_VERDICTS
  const { deck, firstScreen } = words()
  return {
    title: study.name,
    body: {
      kind: 'opening',
      lines: [
        ...(study.description === undefined ? [] : [cutText(study.description, MOST_DESCRIPTION)]),
        ...warnings(manifest),
        firstScreen.delivered(totals.ready, totals.scenarios, totals.rows_generated),
        ...comparisons.slice(0, MOST_VERDICTS).map((one) => deck.verdict(one.id, one.against, verdictText(one))),
        ...(left > 0 ? [deck.moreComparisons(left)] : []),
      ],
    },
    notes: [run.finished_at === null ? words().workbook.notEnded : deck.ended(run.finished_at), deck.figuresOf(digest)],
  }
}

function warnings(manifest: Manifest): string[] {
  const trial = trialText(manifest)
  const { alerts } = words()
  return [
    ...(trial === null ? [] : [alerts.trial(trial)]),
    ...(manifest.status === 'complete'
      ? []
      : [`${alerts.incomplete}${alerts.resultsMayChange(statusText(manifest.status))}`]),
    ...(evaluateGates(manifest).gates.length === 0 ? [] : [gatesText(manifest)]),
  ]
}

const failedGates = (manifest: Manifest) =>
  evaluateGates(manifest).gates.filter(({ gate, counts }) => counts && !gate.passed)

/** Gates that failed, what the scenarios ask for and have, method, provenance. */
export function recordSlides(read: ReadManifest): Slide[] {
  return [...gateSlides(read.manifest), ...scenarioSlides(read.manifest), methodSlide(), provenanceSlide(read)]
}

function gateSlides(manifest: Manifest): Slide[] {
  const failed = failedGates(manifest)
  const { deck, tables } = words()
  const { heads, owners } = tables.gates
  return parts(failed).map((shown, i, all) => ({
    title: `${deck.gatesFailed(failed.length, countedGates(manifest))}${partText(i, all.length)}`,
    body: {
      kind: 'table',
      table: {
        columns: [
          { head: heads.of, width: 0.28 },
          { head: heads.gate, width: 0.28 },
          { head: heads.expected, width: 0.22 },
          { head: heads.found, width: 0.22 },
        ],
        rows: shown.map(({ of, id, gate }) => [`${owners[of]}${id}`, gate.id, expectedText(gate), foundText(gate)]),
      },
    },
    notes: [deck.gates],
  }))
}

const countedGates = (manifest: Manifest): number => evaluateGates(manifest).gates.filter(({ counts }) => counts).length

/** In a sentence. */
function gatesText(manifest: Manifest): string {
  const [all, failed] = [countedGates(manifest), failedGates(manifest).length]
  const { deck, figures, tables } = words()
  return failed === 0 ? tables.gates.verdict(all, all) : figures.sentence(deck.gatesFailed(failed, all))
}

function scenarioSlides(manifest: Manifest): Slide[] {
  const ids = scenarioOrder(manifest)
  const { ready, scenarios } = manifest.totals
  const { deck, figures, record } = words()
  const { scenario, askedFor, status: statusHead, rows: rowsHead } = record.provenance.heads
  return parts(ids).map((shown, i, all) => ({
    title: `${deck.scenariosTitle(ready, scenarios)}${partText(i, all.length)}`,
    body: {
      kind: 'table',
      table: {
        columns: [
          { head: scenario, width: 0.3 },
          { head: askedFor, width: 0.4 },
          { head: statusHead, width: 0.1 },
          { head: rowsHead, width: 0.1, align: 'right' },
          { head: deck.heads.of, width: 0.1, align: 'right' },
        ],
        rows: shown.map((id) => {
          const { request, rows, status } = own(manifest.scenarios, id)!
          const conditions = conditionTexts(request?.conditions ?? {})
          return [
            id,
            conditions.length === 0 ? deck.mix : conditions.join(figures.semicolon),
            statusText(status),
            rows.counted === null ? '–' : countText(rows.counted),
            countText(rows.requested),
          ]
        }),
      },
    },
    notes: [deck.scenarios],
  }))
}

const methodSlide = (): Slide => ({
  title: words().deck.method,
  body: { kind: 'lines', lines: answerNotes() },
  notes: [words().deck.methodNote],
})

function provenanceSlide({ manifest, digest }: ReadManifest): Slide {
  const { study, run, datasets, trace } = manifest
  const { deck, record } = words()
  const { terms } = record.provenance
  const fact = (title: string, value: string | null | undefined): string[][] =>
    value == null || value === '' ? [] : [[title, value]]
  const rows = [
    ...fact(terms.studyDigest, study.digest),
    ...fact(terms.manifestDigest, digest),
    ...fact(terms.run, run.id),
    ...fact(terms.ended, run.finished_at),
    ...fact('whatif', run.tool),
    ...fact(terms.service, run.service),
    ...Object.entries(datasets)
      .slice(0, 3)
      .flatMap(([id, { sha256 }]) => [
        ...fact(`${terms.seedFile} (${id}), SHA-256`, sha256),
        ...fact(`${terms.model} (${id})`, own(trace.datasets, id)?.model_id),
      ]),
  ]
  return {
    title: deck.provenance,
    body: {
      kind: 'table',
      table: {
        columns: [
          { head: deck.heads.what, width: 0.3 },
          { head: '', width: 0.7 },
        ],
        rows,
      },
    },
    notes: [deck.provenanceNote],
  }
}
