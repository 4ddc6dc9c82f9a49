// The rows of an engine's table on a dataset, with our engine's target in each row.
import { BEST_PEER } from './peers-file.js'

/**
 * @typedef {{ kind: 'must' | 'aim', text: string, isMet: boolean }} Target
 *   A must is a requirement; an aim is the best open peer in that row, or a value that is known to be possible.
 * @typedef {object} Context What a target is compared with.
 * @property {string} dataset
 * @property {boolean} isShared One of the three datasets of the peers' file.
 * @property {any} ours The first of our runs; its reference points are those of every run.
 * @property {Record<string, any>} peers Open peers, from the file or measured here.
 * @property {any} scenarios The scenario file of the dataset.
 * @typedef {object} Metric A row of the table.
 * @property {string} title
 * @property {number} digits
 * @property {'higher' | 'lower' | number} better A number: closer is better.
 * @property {(record: any) => number | null} read
 * @property {(mean: number, context: Context, metric: Metric) => Target | null} target
 */

export const SCENARIOS = /** @type {const} */ (['easy', 'medium', 'hard'])

/** Largest AUC of a classifier that distinguishes synthetic from held-out rows. */
const C2ST_LIMITS = /** @type {Record<string, number>} */ ({ adult: 0.54, sd2011: 0.54, telco: 0.55 })

/** Aim for other tables. */
const C2ST_AIM = 0.55

const TSTR_LIMIT = 0.98

/** @type {readonly Metric[]} */
export const METRICS = [
  score('quality', 3, 'higher', ['vs_train', 'quality'], bestPeer),
  score('strong pairs', 3, 'higher', ['vs_train', 'pair_trends_strong_only'], bestPeer),
  score('pair 1-TVD', 3, 'higher', ['vs_train', 'pair_tvd_score'], bestPeer),
  score('3-way TVD', 4, 'lower', ['triples', 'mean_tvd'], aheadOfBestPeer),
  score('C2ST AUC', 3, 'lower', ['c2st', 'auc'], c2stTarget),
  score('TSTR ratio', 3, 'higher', ['tstr', 'ratio'], (mean, { isShared }) => ({
    kind: isShared ? 'must' : 'aim',
    text: `≥ ${TSTR_LIMIT}`,
    isMet: mean >= TSTR_LIMIT,
  })),
  score('exact copies', 4, 'lower', ['privacy', 'exact_copy_share'], copiesTarget),
  score('DCR nearer train', 3, 0.5, ['privacy', 'dcr_share_nearer_train'], aheadOfBestPeer),
  time('fit s', 'fit_seconds', () => null),
  time('sample s', 'sample_seconds', () => null),
  {
    title: 'fit + sample s',
    digits: 2,
    better: 'lower',
    read: ({ report }) => report?.fit_and_sample_seconds ?? sum(report?.fit_seconds, report?.sample_seconds),
    target: aheadOfBestPeer,
  },
  time('fit CPU s', 'fit_cpu_seconds', () => null),
  time('peak MiB', 'peak_rss_mib_fit_sample', bestPeer, 0),
  ...SCENARIOS.flatMap(scenarioMetrics),
]

/**
 * @param {(typeof SCENARIOS)[number]} name
 * @returns {Metric[]}
 */
function scenarioMetrics(name) {
  /** @param {any} record */
  const found = (record) => record.scenarios?.[name]
  /**
   * @param {string} title
   * @param {string} key
   * @returns {Metric}
   */
  const conditional = (title, key) => ({
    title: `${name}: ${title}`,
    digits: 3,
    better: 'higher',
    read: (record) => found(record)?.conditional?.[key] ?? null,
    target: (mean, { ours, peers }) => {
      const isHard = name === 'hard'
      const least = isHard
        ? found(peers[BEST_PEER] ?? {})?.conditional?.[key]
        : found(ours)?.real_split_half_reference?.[key]
      if (typeof least !== 'number') return null
      const whose = isHard ? `${BEST_PEER} on a raked pool` : 'real half/half'
      return { kind: 'must', text: `≥ ${least.toFixed(3)} (${whose})`, isMet: mean >= least }
    },
  })
  return [
    {
      title: `${name}: rows off a share`,
      digits: 1,
      better: 'lower',
      read: (record) => rowsOff(found(record)),
      // The bench rounds shares to six digits, and means of three runs are compared.
      target: (mean, { ours, scenarios }) => {
        const most = rowsOffUnavoidable(scenarios?.scenarios?.[name], found(ours)?.rows_delivered)
        return { kind: 'must', text: most === 0 ? '0' : `< ${most}`, isMet: most === 0 ? mean < 0.01 : mean < most }
      },
    },
    {
      title: `${name}: rows short`,
      digits: 0,
      better: 'lower',
      read: (record) => difference(found(record)?.rows_requested, found(record)?.rows_delivered),
      target: () => null,
    },
    {
      title: `${name}: rows out of range`,
      digits: 0,
      better: 'lower',
      read: (record) => sum(found(record)?.out_of_range_rows, found(record)?.missing_in_ranged_columns),
      target: (mean) => ({ kind: 'must', text: '0', isMet: mean === 0 }),
    },
    {
      title: `${name}: repeated rows %`,
      digits: 2,
      better: 'lower',
      read: (record) => scaled(found(record)?.duplicate_row_share, 100),
      target: (mean, { isShared }) => ({ kind: isShared ? 'must' : 'aim', text: '< 1', isMet: mean < 1 }),
    },
    conditional('cond. shape', 'shape'),
    conditional('cond. pair 1-TVD', 'pair_tvd_score'),
    {
      title: `${name}: s`,
      digits: 2,
      better: 'lower',
      read: ({ report }) => report?.scenarios?.[name]?.seconds ?? null,
      target: aheadOfBestPeer,
    },
  ]
}

/**
 * @param {string} title
 * @param {number} digits
 * @param {Metric['better']} better
 * @param {readonly string[]} path In the record's score.
 * @param {Metric['target']} target
 * @returns {Metric}
 */
function score(title, digits, better, path, target) {
  return {
    title,
    digits,
    better,
    read: (record) => path.reduce((at, key) => at?.[key], record.score) ?? null,
    target,
  }
}

/**
 * @param {string} title
 * @param {string} key Of the report.
 * @param {Metric['target']} target
 * @param {number} [digits]
 * @returns {Metric}
 */
function time(title, key, target, digits = 2) {
  return { title, digits, better: 'lower', read: ({ report }) => report?.[key] ?? null, target }
}

/** @type {Metric['target']} */
function c2stTarget(mean, { dataset }) {
  const limit = C2ST_LIMITS[dataset]
  return { kind: limit ? 'must' : 'aim', text: `≤ ${limit ?? C2ST_AIM}`, isMet: mean <= (limit ?? C2ST_AIM) }
}

/** No more copies than held-out real rows have, and fewer than the best peer. @type {Metric['target']} */
function copiesTarget(mean, context, metric) {
  const held = context.ours.score.privacy.exact_copy_reference_holdout
  const ahead = aheadOfBestPeer(mean, context, metric)
  return {
    kind: 'must',
    text: `≤ ${held.toFixed(4)} (held-out)${ahead === null ? '' : `, ${ahead.text}`}`,
    isMet: mean <= held && (ahead === null || ahead.isMet),
  }
}

/**
 * Better than the peer that is best on the whole; equal to it if that peer is perfect.
 *
 * @type {Metric['target']}
 */
function aheadOfBestPeer(mean, { peers, isShared }, metric) {
  const theirs = metric.read(peers[BEST_PEER] ?? {})
  if (theirs === null) return null
  const [our, their] = [distance(mean, metric), distance(theirs, metric)]
  const sign = { higher: '>', lower: '<' }[String(metric.better)] ?? 'nearer than'
  return {
    kind: isShared ? 'must' : 'aim',
    text: `${sign} ${theirs.toFixed(metric.digits)} (${BEST_PEER})`,
    isMet: our < their || our === 0,
  }
}

/** At least as good as whichever peer is best in that row. @type {Metric['target']} */
function bestPeer(mean, { peers }, metric) {
  const theirs = Object.entries(peers)
    .map(([name, record]) => ({ name, value: metric.read(record) }))
    .filter((peer) => peer.value !== null)
    .sort((a, b) => distance(a.value ?? 0, metric) - distance(b.value ?? 0, metric))[0]
  if (theirs === undefined) return null
  const value = theirs.value ?? 0
  return {
    kind: 'aim',
    text: `${metric.better === 'higher' ? '≥' : '≤'} ${value.toFixed(metric.digits)} (${theirs.name})`,
    isMet: distance(mean, metric) <= distance(value, metric),
  }
}

/**
 * Smaller is better.
 *
 * @param {number} value
 * @param {Metric} metric
 */
function distance(value, { better }) {
  return better === 'higher' ? -value : better === 'lower' ? value : Math.abs(value - better)
}

/**
 * Rows by which the worst share misses its target.
 *
 * @param {any} scenario
 */
function rowsOff(scenario) {
  const { max_share_error: error, rows_delivered: rows } = scenario ?? {}
  return typeof error === 'number' ? error * rows : null
}

/**
 * 0 if every share is a whole number of rows, otherwise 1: no file can hold part of a row.
 *
 * @param {any} scenario As the scenario file has it.
 * @param {number} rows Delivered.
 */
function rowsOffUnavoidable(scenario, rows) {
  const shares = Object.values(scenario?.conditions.categorical ?? {}).flatMap((levels) => Object.values(levels))
  const isWhole = shares.every((share) => Math.abs(share * rows - Math.round(share * rows)) < 1e-6)
  return isWhole ? 0 : 1
}

/**
 * @param {number | null | undefined} a
 * @param {number | null | undefined} b
 */
function sum(a, b) {
  return typeof a === 'number' && typeof b === 'number' ? a + b : null
}

/**
 * @param {number | null | undefined} a
 * @param {number | null | undefined} b
 */
function difference(a, b) {
  return typeof a === 'number' && typeof b === 'number' ? a - b : null
}

/**
 * @param {number | null | undefined} value
 * @param {number} factor
 */
function scaled(value, factor) {
  return typeof value === 'number' ? value * factor : null
}
