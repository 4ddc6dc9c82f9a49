// The rows of the table of `npm run bench:papers`: our figures as the shared run.py scored them, the published figures, and our
// targets.

/** Datasets of the papers, in the order of published.json. */
export const PAPER_TABLES = ['adult', 'default', 'magic', 'beijing']

/** Methods beside ours: the name in the table, and in published.json. */
const METHODS = { TabDiff: 'TabDiff', TabSyn: 'TabSyn (rerun by TabDiff)', TabDDPM: 'TabDDPM' }

/** Error of a model for prediction on Beijing, whose target is numeric. */
const RMSE_LIMIT = 0.6
const DCR_LIMIT = 0.56
const TRAINING_SECONDS = 5
/**
 * Largest AUC of a classifier that distinguishes synthetic rows from the test rows; the other tables are far below it.
 */
const C2ST_LIMIT = 0.55

/**
 * @typedef {import('./peer-metrics.js').Target} Target
 * @typedef {{ title: string, digits: number, key: string | null, read: (run: any) => number | undefined, target: (mean: number, context: { name: string, theirs: number | null }) => Target | null }} PaperMetric
 *   `key`: where published.json has the figures of other methods.
 */

/** @type {readonly PaperMetric[]} */
const METRICS = [
  { title: 'shape error %', digits: 2, key: 'shape', read: ({ shape }) => shape, target: atMostTabDiff },
  { title: 'trend error %', digits: 2, key: 'trend', read: ({ trend }) => trend, target: atMostTabDiff },
  {
    title: 'trend error %, bins at the real edges',
    digits: 2,
    key: null,
    read: ({ trend_real_edges: error }) => error,
    target: () => null,
  },
  { title: 'MLE', digits: 3, key: 'mle', read: ({ mle }) => mle, target: predictionTarget },
  {
    title: 'boosting AUC against test rows',
    digits: 3,
    key: null,
    read: ({ c2st_boosted_test: auc }) => auc,
    target: (mean, { name }) => (name === 'default' ? atMost(mean, C2ST_LIMIT, '') : null),
  },
  {
    title: 'DCR share',
    digits: 3,
    key: 'dcr',
    read: ({ dcr }) => dcr,
    target: (mean) => atMost(mean, DCR_LIMIT, ''),
  },
  {
    title: 'training, processor s',
    digits: 2,
    key: null,
    read: ({ time }) => time?.fit_cpu,
    target: (mean) => ({ kind: 'must', text: `< ${TRAINING_SECONDS}`, isMet: mean < TRAINING_SECONDS }),
  },
  {
    title: 'whole process, processor s',
    digits: 2,
    key: null,
    read: ({ time }) => time?.process_cpu,
    target: () => null,
  },
]

/**
 * One dataset, in the form of the peers' table.
 *
 * @param {{ name: string, record: Record<string, any>, published: any }} found
 *   `record`: by seed what run.py scored, and `dcr`: the share with ties as neither, and with ties as half.
 * @returns {import('./peer-table.js').DatasetTable}
 */
export function paperTable({ name, record, published }) {
  const { dcr, ...bySeed } = record
  const runs = [...Object.values(bySeed), { dcr: dcr?.[0] }]
  const at = published.datasets.indexOf(name)
  const rows = METRICS.map(({ title, digits, key, read, target }) => {
    const values = runs.map(read).filter((value) => value !== undefined)
    const mean = values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length
    /** @type {Record<string, number | null>} */
    const others = {}
    let areRecalled = false
    for (const [method, label] of Object.entries(METHODS)) {
      const { verified = [], memory = [] } = published[key ?? '']?.[label] ?? {}
      others[method] = verified[at] ?? memory[at] ?? null
      if (verified[at] === undefined && others[method] !== null) areRecalled = true
    }
    const kind = title === 'MLE' ? (name === 'beijing' ? ', RMSE' : ', AUC') : ''
    return {
      title: `${title}${kind}${areRecalled ? ' (recalled)' : ''}`,
      digits,
      ours: mean,
      spread: mean === null || values.length < 2 ? null : deviation(values, mean),
      others,
      target: mean === null ? null : target(mean, { name, theirs: others.TabDiff ?? null }),
    }
  })
  return { name, about: null, rows, readFromFile: Object.keys(METHODS), measuredHere: [], failures: [] }
}

/** @type {PaperMetric['target']} */
function atMostTabDiff(mean, { theirs }) {
  return theirs === null ? null : atMost(rounded(mean, theirs), theirs, ' (TabDiff)')
}

/** @type {PaperMetric['target']} */
function predictionTarget(mean, { name, theirs }) {
  if (name === 'beijing') return atMost(mean, RMSE_LIMIT, '')
  return theirs === null
    ? null
    : { kind: 'must', text: `≥ ${theirs} (TabDiff)`, isMet: rounded(mean, theirs) >= theirs }
}

/**
 * To the digits of a published figure, which is rounded itself.
 *
 * @param {number} value
 * @param {number} published
 */
function rounded(value, published) {
  return Number(value.toFixed(String(published).split('.')[1]?.length ?? 0))
}

/**
 * @param {number} mean
 * @param {number} limit
 * @param {string} whose
 * @returns {Target}
 */
function atMost(mean, limit, whose) {
  return { kind: 'must', text: `≤ ${limit}${whose}`, isMet: mean <= limit }
}

/**
 * @param {readonly number[]} values
 * @param {number} mean
 */
function deviation(values, mean) {
  return Math.sqrt(values.reduce((total, value) => total + (value - mean) ** 2, 0) / (values.length - 1))
}
