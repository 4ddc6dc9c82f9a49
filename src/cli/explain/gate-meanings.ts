import type { GateKind } from '../../answers/gates/gate-kinds.ts'
import type { Meaning } from './result-meanings.ts'

/** Gates of scenarios and comparisons. The type makes a gate without an explanation an error of the build. */
export const GATE_MEANINGS = {
  fill: {
    title: 'enough of the requested rows',
    explanation:
      'Rows in the file divided by requested rows, compared with `fill: { min }` in expect or warn. The gate fails when the data cannot support all rows of the mix. The shortfall beside it names the targets that limit the result. Ask for fewer rows, or change these shares or ranges.',
  },
  shares: {
    title: 'shares near their targets',
    explanation:
      'shares:COLUMN is the largest distance between a target share of the column and the share counted in the file. It is compared with the tolerance in expect or warn, and passes if the two are equal. A tolerance that is smaller than chance in so few rows fails on good results: see W5102.',
  },
  ranges: {
    title: 'values inside their ranges',
    explanation:
      'The largest share of rows that are outside a range of the scenario or have no value there. It is compared with `ranges: { outside_max }` in expect or warn.',
  },
  means: {
    title: 'means near their targets',
    explanation:
      'means:COLUMN is the distance between the mean of the column in the file and the mean that the scenario states, in the units of the column; 0 within stated bounds. It is compared with `means: { tolerance }` in expect or warn, or with the tolerance of the column under `columns`, and passes if the two are equal.',
  },
  cells: {
    title: 'cells near their targets',
    explanation:
      'The largest distance between the share of a cell (of levels of several columns together) that the scenario states and the share counted in the file. It is compared with `cells: { tolerance }` in expect or warn, and passes if the two are equal.',
  },
  delta: {
    title: 'a difference of a comparison within its bounds',
    explanation:
      'delta:SCENARIO:COLUMN:LEVEL is a share of the scenario (without a level: a mean) minus that of the scenario it is compared with, as the seed says it; without such an answer, as the rows show it. It is compared with delta_min and delta_max. With `confidence`, its whole interval must lie within them. If one side has no result, the gate finds nothing and fails.',
  },
  quantile: {
    title: 'a difference of a quantile',
    explanation:
      'quantile:SCENARIO:SHARE:COLUMN is a quantile of the column in the scenario minus that in the scenario it is compared with; SHARE is the share of the rows up to it, 0.5 for the median. It is compared with delta_min and delta_max as other differences are. With `confidence`, its whole interval must lie within them.',
  },
  mixed_model: {
    title: 'both sides of a comparison from one model',
    explanation:
      'Counts the scenarios of a comparison whose rows come from another model than those on the other side, or from another training whose model the service does not identify. Part of the difference would come from the models. The gate fails the run (exit 9), or only warns with `policy: { mixed_model: warn }`. `whatif plan` says so beforehand (N4401, W4402, N4403); --force generates everything again from one model.',
  },
  coverage: {
    title: 'intervals of a backtest that hold the truth',
    explanation:
      'Of the predictions of a backtest that have a 95 % interval: the part whose interval holds what the group answered, compared with `coverage: { min }`. About 95 % are to be expected where the columns under `on` carry over all that differs between the groups; with few predictions chance moves the figure much. A backtest without any interval fails the gate.',
  },
  error: {
    title: 'the error of a backtest against doing nothing',
    explanation:
      'The root mean square error of the reweighted answers over that of the unweighted ones, each error in its standard errors, compared with `error: { ratio_max }`. Below 1, reweighting is better than doing nothing; 1 says that it did not help. A backtest without any interval fails the gate.',
  },
  beyond_chance: {
    title: 'errors of a backtest that chance does not explain',
    explanation:
      'Counts the predictions of a backtest whose error chance does not explain, judged over all of them together (Benjamini and Hochberg at 5 %), and compares with `beyond_chance: { max }`. Such an error says that the groups differ in something that the columns under `on` do not tell. A backtest without any interval fails the gate.',
  },
} as const satisfies Record<GateKind, Meaning>
