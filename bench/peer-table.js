// The results of our engine and the peers as data and as one Markdown table.
import { METRICS } from './peer-metrics.js'
import { openPeers, REFERENCES } from './peers-file.js'

/**
 * @typedef {import('./peer-metrics.js').Target} Target
 * @typedef {object} DatasetRuns
 * @property {string} name
 * @property {boolean} isShared
 * @property {string | null} about Where a further table comes from.
 * @property {any[]} ours Records of our runs, one per seed.
 * @property {Record<string, any>} read Engines whose records come from the peers' file.
 * @property {Record<string, any>} measured Engines measured in this run beside ours.
 * @property {any} scenarios The dataset's scenario file, or null.
 * @typedef {{ title: string, digits: number, ours: number | null, spread: number | null, others: Record<string, number | null>, target: Target | null }} Row
 * @typedef {{ name: string, about: string | null, rows: Row[], readFromFile: string[], measuredHere: string[], failures: string[] }} DatasetTable
 */

/**
 * @param {DatasetRuns} runs
 * @returns {DatasetTable}
 */
export function datasetTable({ name, isShared, about, ours, read, measured, scenarios }) {
  const done = ours.filter(({ score }) => score)
  const others = { ...read, ...measured }
  const context = { dataset: name, isShared, ours: done[0], peers: Object.fromEntries(openPeers(others)), scenarios }
  const rows = METRICS.map((metric) => {
    const values = done.map(metric.read).filter((value) => value !== null)
    const mean = values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length
    return {
      title: metric.title,
      digits: metric.digits,
      ours: mean,
      spread: mean === null || values.length < 2 ? null : standardDeviation(values, mean),
      others: Object.fromEntries(Object.entries(others).map(([engine, record]) => [engine, metric.read(record)])),
      target: mean === null ? null : metric.target(mean, context, metric),
    }
  }).filter(({ ours, others }) => ours !== null || Object.values(others).some((value) => value !== null))
  /** @type {[string, any][]} */
  const tried = [
    ...ours.map((run, i) => /** @type {[string, any]} */ ([`whatif, run ${i + 1}`, run])),
    ...Object.entries(measured),
  ]
  return {
    name,
    about,
    rows,
    readFromFile: Object.keys(read),
    measuredHere: Object.keys(measured),
    failures: tried.flatMap(([engine, record]) => failure(engine, record)),
  }
}

/**
 * @param {string} engine
 * @param {any} record
 */
function failure(engine, { process, score, score_error, log_tail, report, scenarios }) {
  const errors = Object.entries(report?.scenarios ?? {}).flatMap(([name, answer]) =>
    answer.error ? [`${engine}, ${name}: ${answer.error}`] : [],
  )
  const unscored = Object.entries(scenarios ?? {}).flatMap(([name, answer]) =>
    answer.error ? [`${engine}, ${name}: ${answer.error}`] : [],
  )
  if (score) return [...errors, ...unscored]
  return [`${engine}: ended with ${process?.rc}; ${score_error ?? (log_tail ?? []).join(' / ')}`]
}

/**
 * @param {readonly number[]} values
 * @param {number} mean
 */
function standardDeviation(values, mean) {
  return Math.sqrt(values.reduce((total, value) => total + (value - mean) ** 2, 0) / (values.length - 1))
}

/**
 * One table over all datasets: a row per figure, a column per engine. Our figures are means of the runs with their standard
 * deviation.
 *
 * @param {readonly DatasetTable[]} tables
 * @returns {string[]}
 */
export function markdownTable(tables) {
  const engines = [...new Set(tables.flatMap(({ readFromFile, measuredHere }) => [...readFromFile, ...measuredHere]))]
  engines.sort((a, b) => Number(REFERENCES.includes(a)) - Number(REFERENCES.includes(b)))
  const head = ['', 'whatif', ...engines, 'to reach', 'reached']
  const lines = [line(head), line(head.map((_, i) => (i === 0 || i > engines.length + 1 ? '---' : '---:')))]
  for (const { name, rows, measuredHere } of tables) {
    const marks = engines.map((engine) => (measuredHere.includes(engine) ? 'this run' : ''))
    lines.push(line([`**${name}**`, '', ...marks, '', '']))
    for (const { title, digits, ours, spread, others, target } of rows) {
      lines.push(
        line([
          title,
          spread === null ? number(ours, digits) : `${number(ours, digits)} ± ${number(spread, digits)}`,
          ...engines.map((engine) => number(others[engine] ?? null, digits)),
          target?.text ?? '',
          target === null ? '' : target.isMet ? 'yes' : target.kind === 'must' ? '**NO**' : 'no (an aim)',
        ]),
      )
    }
  }
  return lines
}

/**
 * @param {readonly DatasetTable[]} tables
 * @returns {string[]} Bullets: musts first, then aims. A kind that no row has is left out.
 */
export function missedLines(tables) {
  return /** @type {const} */ (['must', 'aim']).flatMap((kind) => {
    const missed = tables.flatMap(({ name, rows }) =>
      rows.flatMap(({ title, digits, ours, target }) =>
        target?.kind === kind && !target.isMet
          ? [`- ${name}, ${title}: ${number(ours, digits + 1)}, to reach ${target.text}`]
          : [],
      ),
    )
    const total = tables.flatMap(({ rows }) => rows).filter(({ target }) => target?.kind === kind).length
    if (total === 0) return []
    const title = kind === 'must' ? 'Requirements' : 'Aims (best peer in the row, or known to be possible)'
    return [
      `${title}: ${total - missed.length} of ${total} reached${missed.length > 0 ? '; missed:' : '.'}`,
      '',
      ...missed,
      '',
    ]
  })
}

/**
 * @param {readonly string[]} cells
 */
function line(cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/**
 * @param {number | null} value
 * @param {number} digits
 */
function number(value, digits) {
  return value === null ? '' : value.toFixed(digits)
}
