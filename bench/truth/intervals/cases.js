// Relations between outcomes and what scenarios change, from none to full. The first bench had weak relations only, and found
// nothing wrong with standard errors that were wrong by up to a factor of 12 where relations are strong.

/**
 * @typedef {import('./true-means.js').Mix} Mix
 * @typedef {object} Case
 * @property {string} relation
 * @property {string} outcome
 * @property {string} scenario Of MIXES.
 * @property {string} baseline
 * @property {readonly number[]} sizes Seed rows.
 * @property {boolean} [isWeighted] People are asked with unequal chances; their weights are the inverse.
 * @property {boolean} [isOfChance] The bound is so near to the natural share that chance decides whether it binds: intervals may be
 *   too careful.
 * @property {boolean} [isHeavyTailed] The one weak spot: less coverage is allowed, and `thin` must be said.
 */

/** @type {Readonly<Record<string, Mix>>} */
export const MIXES = {
  'nothing changed': {},
  'one share': { shares: { member: { Yes: 0.7 } } },
  'natural share + 3 points': { shares: { member: { Yes: 0.43 } } },
  'two columns': { shares: { member: { Yes: 0.7 }, region: { East: 0.4, West: 0.25 } } },
  'three columns': { shares: { member: { Yes: 0.7 }, region: { East: 0.4, West: 0.25 }, plan: { gold: 0.25 } } },
  'two that pull at 10 %': { shares: { plan: { gold: 0.35 }, trial: { Yes: 0.35 } } },
  'two that cross': { shares: { member: { Yes: 0.7 }, region: { North: 0.45, South: 0.35 } } },
  'three that are tied': { shares: { member: { Yes: 0.6 }, club: { Yes: 0.6 }, card: { Yes: 0.6 } } },
  'a share and a range': { shares: { member: { Yes: 0.6 } }, range: ['age', 30, 54] },
  'at least 70 %': { shares: { member: { Yes: 0.7 } }, bounds: { member: { Yes: { min: 0.7, max: 1 } } } },
  'at least a point more': { shares: { member: { Yes: 0.41 } }, bounds: { member: { Yes: { min: 0.41, max: 1 } } } },
  'at least what is natural': { shares: { member: { Yes: 0.4 } }, bounds: { member: { Yes: { min: 0.4, max: 1 } } } },
  cells: {
    cells: [
      {
        of: ['member', 'region'],
        shares: [
          [['Yes', 'North'], 0.3],
          [['Yes', 'East'], 0.15],
          [['No', 'South'], 0.1],
        ],
      },
    ],
  },
  'cells, a share and a bound': {
    shares: { region: { North: 0.45 }, plan: { gold: 0.2 } },
    bounds: { plan: { gold: { min: 0.2, max: 1 } } },
    cells: [
      {
        of: ['member', 'region'],
        shares: [
          [['Yes', 'North'], 0.3],
          [['No', 'South'], 0.1],
        ],
      },
    ],
  },
  'few members': { shares: { member: { Yes: 0.2 } } },
}

const ONE = { scenario: 'one share', baseline: 'nothing changed' }
const THREE_POINTS = { scenario: 'natural share + 3 points', baseline: 'nothing changed' }
const PULLED = { scenario: 'two that pull at 10 %', baseline: 'nothing changed' }

/** @type {readonly Case[]} */
export const CASES = [
  { relation: 'strong', outcome: 'strong', ...ONE, sizes: [100, 1_000, 5_000] },
  { relation: 'strong', outcome: 'strong', ...THREE_POINTS, sizes: [1_000] },
  { relation: 'the lever itself', outcome: 'member', ...ONE, sizes: [1_000] },
  { relation: 'the lever itself', outcome: 'member', ...THREE_POINTS, sizes: [1_000] },
  { relation: 'medium', outcome: 'medium', scenario: 'two columns', baseline: 'nothing changed', sizes: [100] },
  { relation: 'medium', outcome: 'medium', scenario: 'three columns', baseline: 'nothing changed', sizes: [100] },
  { relation: 'none', outcome: 'none', ...PULLED, sizes: [300] },
  { relation: 'medium', outcome: 'medium', ...PULLED, sizes: [300] },
  { relation: 'strong', outcome: 'pulled', ...PULLED, sizes: [300] },
  { relation: 'a rare answer', outcome: 'rare', ...PULLED, sizes: [300, 600] },
  { relation: 'heavy tails', outcome: 'spend', ...PULLED, sizes: [300, 600], isHeavyTailed: true },
  { relation: 'heavier tails', outcome: 'wild spend', ...PULLED, sizes: [300, 600], isHeavyTailed: true },
  {
    relation: 'interaction',
    outcome: 'interaction',
    scenario: 'two that cross',
    baseline: 'nothing changed',
    sizes: [1_000],
  },
  {
    relation: 'tied levers',
    outcome: 'tied',
    scenario: 'three that are tied',
    baseline: 'nothing changed',
    sizes: [1_000],
  },
  {
    relation: 'baseline conditioned too',
    outcome: 'medium',
    scenario: 'two columns',
    baseline: 'few members',
    sizes: [1_000],
  },
  {
    relation: 'share and range',
    outcome: 'aged',
    scenario: 'a share and a range',
    baseline: 'nothing changed',
    sizes: [1_000],
  },
  ...[
    'at least 70 %',
    'at least a point more',
    'at least what is natural',
    'cells',
    'cells, a share and a bound',
  ].flatMap((scenario) =>
    ['strong', 'medium'].map((outcome) => ({
      ...{ relation: outcome, outcome, scenario, baseline: 'nothing changed', sizes: [1_000] },
      isOfChance: ['at least a point more', 'at least what is natural'].includes(scenario),
    })),
  ),
  { relation: 'strong, case weights', outcome: 'strong', ...ONE, sizes: [1_000], isWeighted: true },
  { relation: 'strong, case weights', outcome: 'strong', ...THREE_POINTS, sizes: [1_000], isWeighted: true },
  { relation: 'the lever itself, case weights', outcome: 'member', ...ONE, sizes: [1_000], isWeighted: true },
  { relation: 'medium, case weights', outcome: 'medium', ...ONE, sizes: [1_000], isWeighted: true },
]
