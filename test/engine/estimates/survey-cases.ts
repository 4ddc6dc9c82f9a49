/** The differences for which R's package survey is asked as well. */

import { REPLICATE_KINDS, RHO, rscalesOf } from './survey-replicates.ts'

export interface SurveySide {
  readonly shares?: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly ranges?: Readonly<Record<string, readonly [min: number, max: number]>>
  readonly means?: Readonly<Record<string, number>>
  /** Columns and their levels, joined by ` & `. */
  readonly cells?: Readonly<Record<string, Readonly<Record<string, number>>>>
}

export interface SurveyCase {
  readonly name: string
  /** Name of the table of rows. */
  readonly table: string
  readonly outcome: string
  /** Of the outcome; null: its mean, or quantile. */
  readonly level: string | null
  /** The share of the rows up to a quantile; R's error of it is near to ours, because its slope is that of another interval. */
  readonly quantile?: number
  readonly scenario: SurveySide
  readonly baseline: SurveySide
  /** Column of the case weights. */
  readonly weight?: string
  /** Columns of the sample's design. */
  readonly stratum?: string
  readonly cluster?: string
  readonly segment?: readonly [column: string, level: string]
  /** Every so many rows only. */
  readonly every?: number
  /**
   * `linearised`: as R calibrates with one margin. `jackknife`: R leaves out one row or cluster at a time and rakes anew. Others:
   * kinds of replicate weights, which are columns `replicate 1` and so on.
   */
  readonly method: 'linearised' | 'jackknife' | 'JKn' | 'bootstrap' | 'BRR' | 'Fay'
  readonly rscales?: readonly number[]
  readonly rho?: number
}

const NOTHING: SurveySide = {}
const MEMBERS: SurveySide = { shares: { member: { Yes: 0.6 } } }
const REGIONS: SurveySide = { shares: { region: { North: 0.1, East: 0.45 } } }
const TWO: SurveySide = { shares: { member: { Yes: 0.65 }, plan: { gold: 0.35, silver: 0.25 } } }

/** On the people of survey-people.ts, whose figures survey-figures.json has. */
export const SMALL_CASES: readonly SurveyCase[] = [
  { name: 'share, one margin', outcome: 'answer', level: 'yes', scenario: MEMBERS, baseline: NOTHING },
  { name: 'mean, one margin of three groups', outcome: 'age', level: null, scenario: REGIONS, baseline: NOTHING },
  { name: 'mean, missing answers', outcome: 'spend', level: null, scenario: MEMBERS, baseline: NOTHING },
  { name: 'lever as outcome', outcome: 'member', level: 'Yes', scenario: MEMBERS, baseline: NOTHING },
  {
    name: 'share, segment',
    outcome: 'answer',
    level: 'maybe',
    scenario: MEMBERS,
    baseline: NOTHING,
    segment: ['plan', 'gold'],
  },
  {
    name: 'mean, share and range',
    outcome: 'spend',
    level: null,
    scenario: { ...MEMBERS, ranges: { age: [25, 60] } },
    baseline: NOTHING,
  },
  {
    name: 'share, baseline conditioned too',
    outcome: 'answer',
    level: 'no',
    scenario: MEMBERS,
    baseline: { shares: { plan: { gold: 0.15 } } },
  },
  { name: 'mean, case weights', outcome: 'spend', level: null, scenario: REGIONS, baseline: NOTHING, weight: 'weight' },
  {
    name: 'share, two margins',
    outcome: 'answer',
    level: 'yes',
    scenario: TWO,
    baseline: NOTHING,
    method: 'jackknife',
  },
  { name: 'mean, two margins', outcome: 'spend', level: null, scenario: TWO, baseline: MEMBERS, method: 'jackknife' },
].map((of) => ({ table: 'people', method: 'linearised', ...of }) as SurveyCase)

/** The same people as a sample with strata and clusters, or with replicate weights. */
export const DESIGN_CASES: readonly SurveyCase[] = [
  { name: 'share, clusters', outcome: 'answer', level: 'yes', scenario: MEMBERS, cluster: 'cluster' },
  {
    name: 'mean, strata and clusters',
    outcome: 'age',
    level: null,
    scenario: REGIONS,
    stratum: 'stratum',
    cluster: 'cluster',
  },
  {
    name: 'mean, strata, clusters and weights',
    outcome: 'spend',
    level: null,
    scenario: MEMBERS,
    stratum: 'stratum',
    cluster: 'cluster',
    weight: 'weight',
  },
].map((of) => ({ table: 'people', baseline: NOTHING, method: 'linearised', ...of }) as SurveyCase)

const OLDER: SurveySide = { means: { age: 52 } }
const THRIFTY: SurveySide = { ...TWO, means: { spend: 200, age: 50 } }

/** Scenarios that state means. Several totals at once are calibrated, so that R's linearised error is no yardstick. */
export const MEAN_CASES: readonly SurveyCase[] = [
  { name: 'share, a mean', outcome: 'answer', level: 'yes', scenario: OLDER, baseline: NOTHING },
  {
    name: 'mean, a mean of a column with missing values',
    outcome: 'age',
    level: null,
    scenario: { means: { spend: 180 } },
  },
  { name: 'mean, two margins and two means', outcome: 'spend', level: null, scenario: THRIFTY, baseline: MEMBERS },
  { name: 'share, two margins and two means', outcome: 'answer', level: 'no', scenario: THRIFTY, weight: 'weight' },
  {
    name: 'mean, a mean and a range of the same column',
    outcome: 'spend',
    level: null,
    scenario: { ...MEMBERS, ranges: { age: [25, 60] }, means: { age: 38 } },
  },
].map((of) => ({ table: 'people', baseline: NOTHING, method: 'jackknife', ...of }) as SurveyCase)

const CELLS: SurveySide = { cells: { 'member & plan': { 'Yes & gold': 0.25, 'Yes & silver': 0.2, 'No & gold': 0.1 } } }

/** Scenarios that state cells. A table alone is one margin, whose linearised error R has right. */
export const CELL_CASES: readonly SurveyCase[] = [
  { name: 'share, cells', outcome: 'answer', level: 'yes', scenario: CELLS, method: 'linearised' },
  {
    name: 'mean, cells and weights',
    outcome: 'spend',
    level: null,
    scenario: CELLS,
    weight: 'weight',
    method: 'linearised',
  },
  { name: 'mean, cells and a margin', outcome: 'age', level: null, scenario: { ...CELLS, ...REGIONS } },
  {
    name: 'mean, cells and a mean',
    outcome: 'spend',
    level: null,
    scenario: { ...CELLS, ...OLDER },
  },
].map((of) => ({ table: 'people', baseline: NOTHING, method: 'jackknife', ...of }) as SurveyCase)

/** With replicate weights of all kinds; each kind has a table of its own. */
export const REPLICATE_CASES: readonly SurveyCase[] = REPLICATE_KINDS.flatMap((kind) =>
  [
    { name: `share, two margins, ${kind}`, outcome: 'answer', level: 'yes', scenario: TWO },
    { name: `mean, missing answers, ${kind}`, outcome: 'spend', level: null, scenario: MEMBERS },
    { name: `share, two margins and two means, ${kind}`, outcome: 'answer', level: 'no', scenario: THRIFTY },
  ].map(
    (of) =>
      ({
        ...{ ...of, table: `people ${kind}`, baseline: NOTHING, weight: 'weight', method: kind },
        ...{ rscales: rscalesOf(kind), rho: RHO },
      }) as SurveyCase,
  ),
)

/** On tables that are not in the repository. */
export const SHARED_CASES: readonly SurveyCase[] = [
  {
    name: 'adult, income by sex',
    table: 'adult',
    outcome: 'income',
    level: '>50K',
    scenario: { shares: { sex: { Female: 0.6 } } },
    baseline: NOTHING,
  },
  {
    name: 'adult, hours by education',
    table: 'adult',
    outcome: 'hours_per_week',
    level: null,
    scenario: { shares: { education: { Bachelors: 0.3, Masters: 0.15 } } },
    baseline: NOTHING,
  },
  {
    name: 'adult, hours by sex among ages 25 to 45',
    table: 'adult',
    outcome: 'hours_per_week',
    level: null,
    scenario: { shares: { sex: { Female: 0.6 } }, ranges: { age: [25, 45] } },
    baseline: NOTHING,
  },
  {
    name: 'adult, income by sex and race',
    table: 'adult',
    outcome: 'income',
    level: '>50K',
    scenario: { shares: { sex: { Female: 0.55 }, race: { Black: 0.25 } } },
    baseline: NOTHING,
    method: 'jackknife',
    every: 30,
  },
  {
    name: 'telco, churn by contract',
    table: 'telco',
    outcome: 'Churn',
    level: 'Yes',
    scenario: { shares: { Contract: { 'Two year': 0.4 } } },
    baseline: NOTHING,
  },
  {
    name: 'telco, charges by contract',
    table: 'telco',
    outcome: 'TotalCharges',
    level: null,
    scenario: { shares: { Contract: { 'Two year': 0.4 } } },
    baseline: NOTHING,
  },
  {
    name: 'telco, tenure by contract against few contracts',
    table: 'telco',
    outcome: 'tenure',
    level: null,
    scenario: { shares: { Contract: { 'Two year': 0.4, 'One year': 0.3 } } },
    baseline: { shares: { PaperlessBilling: { Yes: 0.3 } } },
  },
  {
    name: 'telco, tenure by contract and internet',
    table: 'telco',
    outcome: 'tenure',
    level: null,
    scenario: { shares: { Contract: { 'Two year': 0.4 }, InternetService: { DSL: 0.5 } } },
    baseline: NOTHING,
    method: 'jackknife',
    every: 7,
  },
  {
    name: 'sd2011, pleased by smoking',
    table: 'sd2011',
    outcome: 'ls',
    level: 'PLEASED',
    scenario: { shares: { smoke: { YES: 0.4 } } },
    baseline: NOTHING,
  },
  {
    name: 'sd2011, weight in kg by sport, women',
    table: 'sd2011',
    outcome: 'weight',
    level: null,
    scenario: { shares: { sport: { YES: 0.6 } } },
    baseline: NOTHING,
    segment: ['sex', 'FEMALE'],
  },
  {
    name: 'sd2011, age by marital state and education',
    table: 'sd2011',
    outcome: 'age',
    level: null,
    scenario: { shares: { marital: { SINGLE: 0.4 }, edu: { 'POST-SECONDARY OR HIGHER': 0.3 } } },
    baseline: NOTHING,
    method: 'jackknife',
    every: 5,
  },
].map((of) => ({ method: 'linearised', ...of }) as SurveyCase)

/** Quantiles; the last is of whole numbers with ties. */
export const QUANTILE_CASES: readonly SurveyCase[] = [
  { outcome: 'spend', quantile: 0.5, scenario: MEMBERS, baseline: NOTHING },
  { outcome: 'spend', quantile: 0.25, scenario: REGIONS, baseline: NOTHING, weight: 'weight' },
  { outcome: 'spend', quantile: 0.75, scenario: { ...MEMBERS, ranges: { age: [25, 60] as const } }, baseline: NOTHING },
  { outcome: 'age', quantile: 0.5, scenario: MEMBERS, baseline: { shares: { plan: { gold: 0.15 } } } },
].map((of) => ({
  ...{ name: `quantile ${of.quantile} of ${of.outcome}`, table: 'people', level: null, method: 'linearised' as const },
  ...of,
}))
