import { MAX_BACKTEST_GROUPS, MAX_SEGMENTS } from '../../base/segment-limit.ts'
import type { CatalogueText } from './diagnostic.ts'

/** Comparisons, gates and the budget. */
export const EVALUATION_CODES = {
  S4301: {
    title: 'Unknown scenario',
    explanation:
      'A baseline, comparison, check or backtest names a scenario that the study does not have. The scenarios of a group have ids such as group--value--value; the group itself is not a scenario. `whatif list` prints all ids.',
  },
  S4302: {
    title: 'Glob matches nothing',
    explanation:
      'No scenario matches the glob, apart from the one compared against. * matches any characters and ? matches one; every other character must match exactly.',
  },
  S4303: {
    title: 'Nothing to compare against',
    explanation:
      'The comparison names no scenario to compare against and the study has no `baseline`. Write `against: <scenario>` in the comparison, or `baseline: <scenario>` at the top.',
  },
  S4304: {
    title: 'Comparison across datasets',
    explanation:
      'Both sides of a comparison must be generated from the same dataset. Otherwise the difference would come from the data and not from the scenario. To compare two waves, stack them in one seed file with a column `wave`, declare `types: { wave: categorical }`, and give each wave a scenario: `shares: { wave: { "2": 1 } }`. `whatif diff` of the manifests of two runs also shows which answers changed.',
  },
  S4305: {
    title: 'Check of a difference that is not computed',
    explanation:
      'A check under `expect` or `warn` must name a scenario of its comparison, and a column listed under `shares` (then with `level`) or under `means` (then without). Otherwise there is nothing to check.',
  },
  S4306: {
    title: 'Bounds upside down',
    explanation: '`delta_min` is greater than `delta_max`, so that no difference could pass. Exchange the two.',
  },
  S4307: {
    title: 'Outcome that divides its own comparison',
    explanation:
      'A comparison names a column under `shares` or `means` and under `by`. Inside a segment all rows have the same level of that column, so there is no difference to find. Compare other columns, or remove `by`.',
  },
  S4308: {
    title: 'Segments of a number',
    explanation:
      '`by` divides a comparison by the levels of a categorical column, and this column holds numbers or dates. Declare bands of it in the dataset and name them: `bands: { age.band: { of: age, at: [18, 30, 45, 65] } }` and `by: age.band`.',
  },
  S4309: {
    title: 'Too many segments',
    explanation: `The column under \`by\` has more than ${MAX_SEGMENTS} levels. With so many segments few people are in each, and no difference is sure. Divide the comparison by a coarser column.`,
  },
  S4310: {
    title: 'Backtest of what is given',
    explanation:
      'A backtest predicts outcomes of a group from the other groups, reweighted to its margins. The column under `by` makes the groups, and those under `on` (or those that the `scenario` conditions) are alike on both sides, so that none of them can be an outcome, and `by` cannot be under `on`. Name other columns.',
  },
  S4311: {
    title: 'Column that a backtest cannot use',
    explanation: `\`by\` of a backtest takes a categorical column of 2 to ${MAX_BACKTEST_GROUPS} levels; of one with more, name some under \`levels\`. For numbers, declare bands of them in the dataset and name these. \`on\` takes categorical columns and numbers, and no dates.`,
  },
  N4401: {
    title: 'Trained again, same model',
    explanation:
      'A dataset expired, so a run uploads and trains its seed file again, and comparisons combine new results with kept ones. The same seed file, the same cleaning and the same engine version give the same model, byte for byte, so the comparisons remain valid. Only changed scenarios are generated and billed. The run compares the identities of both models (model_id) and reports a difference.',
  },
  W4402: {
    title: 'Comparisons mix two models',
    explanation:
      'New results would be compared with kept results of another model, so part of the difference would come from the models. This happens when a dataset is trained again by another engine version, or by a service that does not report which model rows come from. `policy.mixed_model` sets the consequence: fail (exit 9, the default) or warn. Generate everything again with --force, or accept the mix in the study with `policy: { mixed_model: warn }`.',
  },
  N4403: {
    title: 'Trained again, model known after the run',
    explanation:
      'A dataset expired, so a run uploads and trains its seed file again, and comparisons combine new results with kept ones. The service reports which model rows come from, and trains the same model again as long as its engine version is the same. The engine version is known only after the service has generated rows. The run then compares the identities of both models, and `policy.mixed_model` sets the consequence if they differ.',
  },
  N4404: {
    title: 'More rows than the seed data support',
    explanation:
      'A scenario asks for more than 20 rows for each row of the seed file that cleaning kept. More rows add no information: intervals stay as wide as the seed makes them. More rows raise the risk for the people in the seed, because they show more clearly whether a known person is in it. Ask for fewer rows. `whatif plan` reports this for scenarios that would be bought, if the dataset was trained before. `whatif run` reports it for the scenarios that it bought, and `whatif report` for the rows that were delivered.',
  },
  W4501: {
    title: 'The study raises its own budget',
    explanation:
      'The budget is part of the study, so everybody who can change the study can change what a run may cost. Compared with the base revision, a limit is higher, a limit is gone, or `rows_per_run` now allows runs that had to be confirmed before. The base revision is the one that --base names; in a pull request of GitHub or a merge request of GitLab it is the target branch. The change is not refused: let the person who pays review it. To set a limit that no change of the study can raise, pass --budget-rows with a number from the settings of the CI system, as in examples/ci.',
  },
  N4502: {
    title: 'Budget not compared with its base',
    explanation:
      'The budget of the study could not be compared with the budget on the target branch. The branch or its commit was not fetched, git is not installed, the study is new, or it has errors on that branch. Check the budget yourself. In a shallow clone, fetch one more commit (fetch-depth: 2).',
  },
  S5101: {
    title: 'Gate that evaluates nothing',
    explanation:
      'A gate that never has anything to evaluate always passes and gives false confidence. Examples are a tolerance of shares where no scenario that it applies to has shares, a tolerance of a column without shares, and a bound on values outside a range where there is no range. Add the condition or remove the gate. A gate in `defaults` needs at least one scenario that it can evaluate.',
  },
  W5102: {
    title: 'Tolerance that a good result can miss',
    explanation:
      'A share is a whole number of rows, so it can be off by up to one row. A smaller tolerance fails even the best possible result. The embedded service meets shares to the nearest row. Another service may sample rows independently: then a share p of n rows differs from its target by up to about 2·√(p(1−p)/n) by chance, and a study for such a service is checked against that as well. Ask for more rows or allow a larger tolerance.',
  },
} as const satisfies Record<string, CatalogueText>
