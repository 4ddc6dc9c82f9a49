/** Tables of targets, gates, replicates and distances. */

import { type Said, said } from '../../message/said.ts'
import { count, plural } from './numbers.ts'

export const TABLES = {
  heads: {
    scenario: 'Scenario',
    column: 'Column',
    level: 'Level',
    target: 'Target',
    achieved: 'Achieved',
    difference: 'Difference',
    noise: 'Noise of generation',
    rows: 'Rows',
    rowsOutside: 'Rows outside',
    shareOutside: 'Share outside',
    distance: 'Distance',
    values: 'Values',
    rule: 'Rule',
    rowsAbout: 'Rows that it is about',
    rowsBreaking: 'Rows that break it',
  },
  shares: 'Shares',
  sharesLeft: 'Shares left to the model',
  ranges: 'Ranges',
  means: 'Means',
  rules: 'Rules',
  further: {
    targets: 'further targets stand in the manifest',
    shares: 'further shares stand in the manifest',
    ranges: 'further ranges stand in the manifest',
    means: 'further means stand in the manifest',
    rules: 'further rules stand in the manifest',
  },
  noValue: '(no value)',
  noise:
    'Noise of generation is 2·√(p(1−p)/n): the variation of the share in n rows by chance alone, if rows are sampled independently. It shows how close a result comes to its target, and says nothing about the population. A service that meets targets to the nearest row, as the embedded one does, stays far below it.',
  gates: {
    title: 'Gates',
    verdict: (passed: number, gates: number): string => {
      if (passed < gates) return `${count(passed)} of ${plural(gates, 'gate')} passed.`
      return gates === 1 ? 'The gate passed.' : `${gates === 2 ? 'Both' : `All ${count(gates)}`} gates passed.`
    },
    passed: 'Gates that passed',
    notPassed: 'Gates that did not pass',
    heads: { of: 'Of', gate: 'Gate', level: 'Level', expected: 'Expected', found: 'Found', verdict: 'Verdict' },
    owners: { scenario: '', comparison: 'comparison ', backtest: 'backtest ' },
    more: 'more stand in manifest.json',
    nothing: 'nothing to evaluate',
    otherwise: 'the manifest says otherwise',
    notSelected: 'not selected in this run',
    ok: 'passed',
    failed: 'failed',
    warning: 'warning',
  },
  replicates: {
    none: <N>(scenario: N): Said<N> => said`${scenario}: no replicate has a result.`,
    together: <N>(scenario: N, known: number, all: number, names: N): Said<N> =>
      said`${scenario} takes ${known === all ? plural(all, 'replicate') : `${known} of ${plural(all, 'replicate')}`} together: ${names}.`,
    spread: <N>(figures: N): Said<N> =>
      said` From replicate to replicate the difference varies by (standard deviation): ${figures}. This measures the noise of generation, not the sampling of the seed.`,
  },
  distances: {
    title: 'How near the rows are to the answers',
    atMost: (points: string): string => `at most ${points} points away; `,
    far: (far: number, all: number): string =>
      `${count(far)} of ${plural(all, 'difference')} beyond two standard errors`,
    rowsOf: <N>(comparison: N): Said<N> => said`Rows of comparison ${comparison}`,
    heads: {
      differences: 'Differences',
      largest: 'Largest distance, points',
      rms: 'Root mean square, standard errors',
      beyond: 'Beyond two standard errors',
    },
    note: 'How near the differences in the generated rows are to the answers. The distance is that of the file, not of the answers. The noise of generation is part of it, so it is larger in files of few rows. Segments of the file are less near.',
  },
  leading: {
    of: <N>(comparison: N, against: N): Said<N> => said`${comparison} against ${against}`,
    title: <N>(comparison: N): Said<N> => said`What ${comparison} says`,
  },
}
