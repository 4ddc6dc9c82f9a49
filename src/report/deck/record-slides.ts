/** The first slide and the last ones: what was asked for, how it was made, and what to cite. */

import type { ReadManifest } from '../../answers/manifest/parse-manifest.ts'
import { evaluateGates } from '../../answers/manifest/review-manifest.ts'
import type { ComparisonAnswers } from '../../answers/words/answer-text.ts'
import { answerNotes } from '../../answers/words/difference-text.ts'
import { expectedText, foundText } from '../../answers/words/gate-text.ts'
import { verdictText } from '../../answers/words/leading-answers.ts'
import { trialText } from '../../answers/words/trial-text.ts'
import { countText, plural } from '../../base/text/amount-text.ts'
import { cutText } from '../../base/text/fit-text.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import { own, scenarioOrder } from '../document/names.ts'
import { conditionTexts } from '../html/answer/generated-table.ts'
import { parts, partText, type Slide } from './slide.ts'

/** Verdicts of comparisons on the first slide, and letters of a description. */
const MOST_VERDICTS = 6
const MOST_DESCRIPTION = 600

/** What was asked, what came out, and what a reader must know before the figures. */
export function openingSlide(read: ReadManifest, comparisons: readonly ComparisonAnswers[]): Slide {
  const { manifest, digest } = read
  const { study, run, totals } = manifest
  const left = comparisons.length - MOST_VERDICTS
  return {
    title: study.name,
    body: {
      kind: 'opening',
      lines: [
        ...(study.description === undefined ? [] : [cutText(study.description, MOST_DESCRIPTION)]),
        ...warnings(manifest),
        `${countText(totals.ready)} of ${plural(totals.scenarios, 'scenario')} ${totals.ready === 1 ? 'has' : 'have'} the rows that were asked for: ${plural(totals.rows_generated, 'row')} in total.`,
        ...comparisons.slice(0, MOST_VERDICTS).map((one) => `${one.id}, against ${one.against}: ${verdictText(one)}.`),
        ...(left > 0 ? [`And ${plural(left, 'more comparison')}.`] : []),
      ],
    },
    notes: [
      run.finished_at === null ? 'The run has not ended.' : `The run ended ${run.finished_at}.`,
      `The figures are those of the manifest with the digest ${digest}.`,
    ],
  }
}

function warnings(manifest: Manifest): string[] {
  const trial = trialText(manifest)
  return [
    ...(trial === null ? [] : [`This is a ${trial}.`]),
    ...(manifest.status === 'complete'
      ? []
      : [`The run is not complete (${manifest.status}). Its results may change.`]),
    ...(evaluateGates(manifest).gates.length === 0 ? [] : [`${gatesText(manifest)}.`]),
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
  return parts(failed).map((shown, i, all) => ({
    title: `${gatesText(manifest)}${partText(i, all.length)}`,
    body: {
      kind: 'table',
      table: {
        columns: [
          { head: 'Of', width: 0.28 },
          { head: 'Gate', width: 0.28 },
          { head: 'Expected', width: 0.22 },
          { head: 'Found', width: 0.22 },
        ],
        rows: shown.map(({ of, id, gate }) => [`${of} ${id}`, gate.id, expectedText(gate), foundText(gate)]),
      },
    },
    notes: ['Gates are the conditions that the study sets for its results.'],
  }))
}

function gatesText(manifest: Manifest): string {
  const all = evaluateGates(manifest).gates.filter(({ counts }) => counts).length
  const failed = failedGates(manifest).length
  return failed === 0 ? `All ${plural(all, 'gate')} passed` : `${countText(failed)} of ${plural(all, 'gate')} failed`
}

function scenarioSlides(manifest: Manifest): Slide[] {
  const ids = scenarioOrder(manifest)
  const { ready, scenarios } = manifest.totals
  return parts(ids).map((shown, i, all) => ({
    title: `${countText(ready)} of ${plural(scenarios, 'scenario')} ${ready === 1 ? 'has' : 'have'} the rows that were asked for${partText(i, all.length)}`,
    body: {
      kind: 'table',
      table: {
        columns: [
          { head: 'Scenario', width: 0.3 },
          { head: 'Asked for', width: 0.4 },
          { head: 'Status', width: 0.1 },
          { head: 'Rows', width: 0.1, align: 'right' },
          { head: 'Of', width: 0.1, align: 'right' },
        ],
        rows: shown.map((id) => {
          const { request, rows, status } = own(manifest.scenarios, id)!
          const conditions = conditionTexts(request?.conditions ?? {})
          return [
            id,
            conditions.length === 0 ? 'the mix of the data' : conditions.join('; '),
            status,
            rows.counted === null ? '–' : countText(rows.counted),
            countText(rows.requested),
          ]
        }),
      },
    },
    notes: [
      'Shares, ranges and means that a scenario asks for; the workbook (whatif report --xlsx) has what its rows have.',
    ],
  }))
}

const methodSlide = (): Slide => ({
  title: 'How the answers are made, and how sure they are',
  body: { kind: 'lines', lines: answerNotes() },
  notes: ['docs/answers.md of whatif has the whole method.'],
})

function provenanceSlide({ manifest, digest }: ReadManifest): Slide {
  const { study, run, datasets, trace } = manifest
  const fact = (title: string, value: string | null | undefined): string[][] =>
    value == null || value === '' ? [] : [[title, value]]
  const rows = [
    ...fact('Study digest', study.digest),
    ...fact('Manifest digest', digest),
    ...fact('Run', run.id),
    ...fact('Ended', run.finished_at),
    ...fact('whatif', run.tool),
    ...fact('Service', run.service),
    ...Object.entries(datasets)
      .slice(0, 3)
      .flatMap(([id, { sha256 }]) => [
        ...fact(`Seed file of ${id}, SHA-256`, sha256),
        ...fact(`Model of ${id}`, own(trace.datasets, id)?.model_id),
      ]),
  ]
  return {
    title: 'What made these figures, to cite and to repeat',
    body: {
      kind: 'table',
      table: {
        columns: [
          { head: 'What', width: 0.3 },
          { head: '', width: 0.7 },
        ],
        rows,
      },
    },
    notes: ['whatif verify holds the files of a run against its record.'],
  }
}
