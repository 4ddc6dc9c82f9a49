/** Slides, and the notes of who shows them. Titles are sentences of the report where it has them. */

import { count, plural } from './numbers.ts'

export const DECK = {
  /** Of the text, for the spelling of office programs. */
  tag: 'en-US' as string,
  /** Behind a title that is split over slides. */
  part: (part: number, parts: number): string => ` (${part} of ${parts})`,
  /** Before what a slide shows only in part. */
  inFull: 'In full:',
  answerSides: 'Baseline → scenario',
  low: '95 % from',
  high: '95 % to',
  whiskerBelow: 'Whisker below',
  whiskerAbove: 'Whisker above',
  /** A title, with what it is about behind it. */
  titleOf: (title: string, comparison: string): string => `${title}: ${comparison}`,
  comparison: (id: string, against: string): string => `Comparison ${id}: differences from ${against}.`,
  judged:
    'Each interval stands for itself. Whether a difference is beyond chance is judged over all questions of the study (Benjamini and Hochberg, 5 %).',
  forest: (outcome: string, against: string): string =>
    `Differences of ${outcome} from ${against}, with 95 % intervals`,
  forestColours: 'Blue bars are beyond chance, grey ones are within chance or not known.',
  /** `comparison`: null where there is no other. */
  unmoved: (outcomes: number, comparison: string | null): string =>
    `${plural(outcomes, 'outcome')} ${outcomes === 1 ? 'has' : 'have'} no difference beyond chance${comparison === null ? '' : ` in ${comparison}`}`,
  strongest: 'Of each outcome the strongest difference is shown.',
  segments: 'The strongest differences inside segments; the workbook (whatif report --xlsx) has all of them.',
  curve: {
    whiskers: (against: string): string =>
      `The whiskers are 95 % intervals of the difference from ${against}, laid onto its value. Blue points differ from it beyond chance, grey ones do not, or it is not known.`,
    days: (against: string): string => `The axis counts days from ${against}.`,
    lowerEnd: 'Lower end for all points together',
    upperEnd: 'Upper end for all points together',
    further: (outcomes: number): string =>
      `The workbook (whatif report --xlsx) has ${plural(outcomes, 'further outcome')}.`,
  },
  distribution: {
    /** Of a scenario and its baseline. */
    title: (column: string, scenario: string, against: string): string =>
      `${column} with ${scenario} and in ${against}`,
    shares: (of: {
      readonly column: string
      /** The rows that are counted; null: all. */
      readonly where: string | null
      readonly inRows: boolean
      readonly sides: string
    }): string =>
      `Shares of the levels of ${of.column}, ${of.inRows ? 'in the generated rows' : 'as the seed says, reweighted to each side'}${of.where === null ? '' : ` with ${of.where}`}: ${of.sides}.`,
    steps: (column: string, where: string | null, isDate: boolean): string =>
      `Distribution of ${column} in the generated rows${where === null ? '' : ` with ${where}`}: the height of a step is the share of the rows per unit${isDate ? ' of a day, and the axis counts days since 1970' : ''}, so that its area is the share of the rows.`,
    beyondSteps: (name: string, below: string, above: string): string =>
      `${name}: ${below} of the rows lie below the first step, ${above} above the last.`,
    label: (column: string): string => `Distribution of ${column}`,
    perUnit: 'share of rows per unit',
    days: (column: string): string => `${column}, days since 1970`,
    inRows: 'In the generated rows',
  },
  verdict: (comparison: string, against: string, verdict: string): string =>
    `${comparison}, against ${against}: ${verdict}.`,
  moreComparisons: (left: number): string => `And ${plural(left, 'more comparison')}.`,
  ended: (at: string): string => `The run ended ${at}.`,
  figuresOf: (digest: string): string => `The figures are those of the manifest with the digest ${digest}.`,
  gates: 'Gates are the conditions that the study sets for its results.',
  gatesFailed: (failed: number, gates: number): string => `${count(failed)} of ${plural(gates, 'gate')} failed`,
  mix: 'the mix of the data',
  scenarios:
    'Shares, ranges and means that a scenario asks for; the workbook (whatif report --xlsx) has what its rows have.',
  scenariosTitle: (ready: number, scenarios: number): string =>
    `${count(ready)} of ${plural(scenarios, 'scenario')} ${ready === 1 ? 'has' : 'have'} the rows that were asked for`,
  method: 'How the answers are made, and how sure they are',
  methodNote: 'docs/answers.md of whatif has the whole method.',
  provenance: 'What made these figures, to cite and to repeat',
  provenanceNote: 'whatif verify holds the files of a run against its record.',
  /** `of`: the rows that were asked for, beside those that are there. */
  heads: { of: 'Of', what: 'What' },
}
