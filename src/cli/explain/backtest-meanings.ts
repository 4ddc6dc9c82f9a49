/** The gates of backtests. */
export const BACKTEST_MEANINGS = {
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
} as const
