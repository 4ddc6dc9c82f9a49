/** What models were trained on, and how good they are. */

import { type Said, said } from '../../message/said.ts'
import { count, plural } from './numbers.ts'

export const DATA = {
  title: 'Data and model',
  trainedEarlier: 'The model was trained earlier.',
  seedFile: <N>(file: N): Said<N> => said`The seed file is ${file}.`,
  cleaningNotReported: 'The service does not report what cleaning did.',
  qualityNotReported: 'The service does not report the quality of the model.',
  /** Rows and columns before and after cleaning; null: as before. */
  sizes: (rows: number, columns: number, left: number | null, kept: number | null): string =>
    `It has ${plural(rows, 'row')} and ${plural(columns, 'column')}; cleaning keeps ${left === null ? 'all rows' : plural(left, 'row')} and ${kept === null ? 'all columns' : plural(kept, 'column')}.`,
  leftOut: (columns: number): string => `Cleaning left out ${plural(columns, 'column')}:`,
  leftOutFor: <N>(names: N, columns: number, reason: string): Said<N> =>
    said`${names}: ${columns === 1 ? 'it' : 'each'} ${reason}.`,
  reasons: {
    constant: 'has one value in all rows',
    near_zero_variance: 'has the same value in nearly all rows',
    mostly_missing: 'is mostly empty',
    identifier: 'names single rows or people',
    free_text: 'is free text',
    too_many_levels: 'has too many different values',
    unmodelled: 'cannot be modelled',
    case_weight: 'holds the weights of the rows',
    survey_design: 'says how the rows were drawn',
  },
  promises: 'What synthetic rows do not promise',
  promised: [
    'Generated rows carry no proof of privacy: the more of them are generated per row of the seed, the better they show who is in it.',
    'They name no causes: a scenario weights the answers that the seed holds, and does not know why people do things.',
    'They are no new people: an interval says what the seed supports, however many rows are generated.',
    'What few rows of the seed show is uncertain, and what none shows cannot be generated.',
    'A level is written as it is, also one that a spreadsheet would take for a formula.',
  ],
  quality: {
    measured: (trained: number, heldOut: number): string =>
      `A model of ${count(trained)} rows was compared with ${count(heldOut)} rows that it had not seen.`,
    detectable: (auc: string): string =>
      `From so few rows, an AUC of ${auc} is the smallest that is detected, with a power of 80 %.`,
    notMeasured: <N>(figure: string, reason: N): Said<N> => said`Not measured: ${figure}. ${reason}`,
    stroke: 'The stroke is the figure of other real rows.',
    held: (held: number, known: number): string =>
      `${held} of ${known} figures have their reference, the stroke, within the band of chance or within their 95 % interval.`,
    attackNote: ' The attack on members uses N generated rows for n rows trained on.',
    noGuarantee: ' This is evidence, not a guarantee of privacy.',
    title: 'Quality of the model',
    heads: { figure: 'Figure', model: 'Model', against: 'Read against' },
    shapes: 'Shapes of columns',
    pairs: (pairs: number): string => `${count(pairs)} pairs of columns`,
    distinguished: 'Distinguished from real rows',
    nearerTrained: 'Nearer to a row trained on',
    attack: (times: number): string => `Attack on members, N = ${times === 1 ? '' : `${times} `}n`,
    correlations: (pairs: number): string => `Strength of ${count(pairs)} correlations`,
    items: <N>(first: N, last: N): Said<N> => said`Items ${first} to ${last}`,
    groupDifferences: 'Differences between groups',
    medianOf: (columns: number): string => `Their median of ${count(columns)} columns`,
    differencesOf: <N>(column: N): Said<N> => said`Differences of ${column}`,
    pmse: 'pMSE over expected',
    copies: 'Exact copies of rows trained on',
    rareNumbers: 'With a number of fewer than 10 seed rows',
    strength: (low: string, high: string): string => `95 % ${low} to ${high}; real rows 1`,
    aroundOne: (chance: string): string => `1 ± ${chance} by chance`,
    /** `half`: 0.5, as the language writes it. */
    auc: (half: string, chance: string): string => `AUC; ${half} ± ${chance} by chance`,
    share: (half: string, chance: string): string => `share; ${half} ± ${chance} by chance`,
    otherRows: (figure: string): string => `other real rows ${figure}`,
    trainedRows: (rows: string): string => `rows trained on: ${rows}`,
    rows: (rows: number): string => `${count(rows)} rows`,
    underTen: 'under 10 rows',
  },
  risk: {
    title: 'Membership risk',
    heads: {
      dataset: 'Dataset',
      perTrained: 'Rows per row trained on',
      auc: 'Attack AUC',
      chance: 'Chance',
      measuredAt: 'Measured at',
    },
    together: 'all together',
    note: 'How well an attacker who knows a whole row can decide from the delivered rows whether it was in the training data: 0.5 means not at all. The AUC was measured without a scenario, at the number of rows per training row in the last column; with more rows the risk is larger.',
  },
  density: {
    title: 'More rows than the seed data support',
    heads: { rows: 'Rows', seedRows: 'Rows of the seed data', perSeedRow: 'Rows per seed row' },
    /** `risks`: how well an attack tells people of the seed from others. `half`: 0.5, as the language writes it. */
    note: (
      most: number,
      risks: readonly { readonly rowsPerRow: number; readonly auc: string }[],
      half: string,
    ): string =>
      `These have more than ${most} rows for each row that cleaning left of the seed file. Further rows add no information, and raise the risk for the people in the seed data: the distance to the nearest generated row told them from others with an area under the ROC curve of ${risks.map(({ rowsPerRow, auc }) => `${auc} at ${rowsPerRow}`).join(', ')} rows per seed row (${half} is chance; measured on simulated people).`,
  },
}
