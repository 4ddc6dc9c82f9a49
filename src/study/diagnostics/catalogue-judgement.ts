import type { CatalogueText } from './diagnostic.ts'

/** Comparisons and gates: how results are judged. */
export const JUDGEMENT_CODES = {
  S4301: {
    title: 'Unknown scenario',
    explanation:
      'A baseline, comparison or check names a scenario that the study does not have. Ids of a group are those of its combinations, group--value--value; the group itself is not a scenario. `whatif list` prints all ids.',
  },
  S4302: {
    title: 'Glob matches nothing',
    explanation:
      'No scenario matches the glob, apart from the one compared against. * stands for any characters and ? for one; everything else must match exactly.',
  },
  S4303: {
    title: 'Nothing to compare against',
    explanation:
      'The comparison names no scenario to compare against and the study has no `baseline`. Write `against: <scenario>` in the comparison, or `baseline: <scenario>` at the top.',
  },
  S4304: {
    title: 'Comparison across datasets',
    explanation:
      'Both sides of a comparison must be generated from the same dataset; otherwise the difference would be that of the data and not of the scenario.',
  },
  S4305: {
    title: 'Check of a difference that is not computed',
    explanation:
      'A check under `expect` or `warn` must concern a scenario of its comparison, and a column listed under `shares` (then with `level`) or under `means` (then without). Otherwise there would be nothing to check.',
  },
  S4306: {
    title: 'Bounds upside down',
    explanation: '`delta_min` is greater than `delta_max`, so that no difference could pass. Exchange the two.',
  },
  N4401: {
    title: 'Trained again, same model',
    explanation:
      'A dataset expired, so a run uploads and trains its seed file again, and comparisons set new results beside kept ones. The same seed file, the same cleaning and the same version of the engine give the same model, byte for byte, so the comparisons stand. Only what changed is generated and billed. The run holds the identities of both models (model_id) against each other and says so if they differ after all.',
  },
  W4402: {
    title: 'Comparisons mix two models',
    explanation:
      'New results would be compared with kept results of another model, so a difference would be partly that of the models. It happens when a dataset is trained again by another version of the engine, or by a service that does not tell which model rows come from. `policy.mixed_model` decides what the run makes of it: fail (exit 9, the default) or warn. Generate everything anew with --force, or accept it in the study with `policy: { mixed_model: warn }`.',
  },
  N4403: {
    title: 'Trained again, model known after the run',
    explanation:
      'A dataset expired, so a run uploads and trains its seed file again, and comparisons set new results beside kept ones. The service tells which model rows come from, and gives the same model again as long as its engine is the same version. Whether it still is only shows when it has generated: the run holds the identities of both models against each other, and `policy.mixed_model` decides if they differ.',
  },
  N4404: {
    title: 'More rows than the seed data support',
    explanation:
      'A scenario asks for more than 20 rows for each row that cleaning left of the seed file. Further rows add no information: intervals stay as wide as the seed makes them. They raise the risk for the people in the seed: the more rows there are, the better they show whether a known person is in it. Ask for fewer rows. `whatif plan` says this when the dataset was trained before, and only of scenarios that would be bought. `whatif run` says it of those that it bought, and `whatif report` of the rows that were delivered.',
  },
  W4501: {
    title: 'The study raises its own budget',
    explanation:
      'The budget stands in the study, so whoever changes the study can change what a run of it may cost. A limit is higher than in the revision that the change is made to, or gone, or there is one where runs had to be asked for. The revision is the one that --base names; in a pull request of GitHub or a merge request of GitLab it is the target branch. Nothing is refused for it: let somebody who pays look at the change. A limit that no change of the study raises is --budget-rows with a number from the settings of the CI system, as in examples/ci.',
  },
  N4502: {
    title: 'Budget not compared with its base',
    explanation:
      'The budget of the study could not be held against that of the branch that the change is made to, because the branch or its commit was not fetched, git is not there, the study is new, or it has faults there. Look at the budget yourself. In a shallow clone, fetch one commit more (fetch-depth: 2).',
  },
  S5101: {
    title: 'Gate that evaluates nothing',
    explanation:
      'A gate that never has anything to evaluate always passes and gives false confidence: a tolerance of shares where no scenario it applies to has shares, a tolerance of a column without shares, or a bound on values outside a range where there is no range. Add the condition or remove the gate. A gate in `defaults` needs at least one scenario that it can judge.',
  },
  W5102: {
    title: 'Tolerance that a good result can miss',
    explanation:
      'A share is a number of whole rows, so it can be off by up to one row, and a tolerance below that fails on a result that is as good as any. The embedded service meets shares to the nearest row. Another service may sample rows independently: then a share p of n rows differs from its target by up to about 2·√(p(1−p)/n) by chance, and where such a service is named a tolerance is held against that too. Ask for more rows or allow a larger tolerance.',
  },
} as const satisfies Record<string, CatalogueText>
