// The scenarios of the shared bench in the engine's form, and their counts in the delivered rows.

/**
 * @typedef {{ categorical: Record<string, Record<string, number>>, numeric: Record<string, { min: number, max: number }> }} Conditions
 * @typedef {{ row_count: number, conditions: Conditions }} BenchScenario
 * @typedef {import('../dist/engine/scenario/scenario.js').Scenario} Scenario
 * @typedef {{ columns: readonly import('../dist/base/output-table.js').OutputColumn[], blocks: readonly import('../dist/base/output-table.js').Block[] }} Rows
 */

/**
 * Columns are named as in the file there, as after cleaning here.
 *
 * @param {Conditions} conditions
 * @param {readonly { name: string, sourceName: string }[]} columns
 * @returns {Scenario}
 */
export function engineScenario(conditions, columns) {
  /** @param {string} source */
  const cleaned = (source) => {
    const column = columns.find(({ sourceName }) => sourceName === source)
    if (column === undefined) throw new Error(`the model has no column ${source}`)
    return column.name
  }
  return {
    shares: Object.entries(conditions.categorical).map(([source, levels]) => ({
      column: cleaned(source),
      levels: new Map(Object.entries(levels)),
    })),
    ranges: Object.entries(conditions.numeric).map(([source, range]) => ({ column: cleaned(source), ...range })),
  }
}

/**
 * Counted in the rows themselves.
 *
 * @param {Rows} rows
 * @param {Scenario} scenario
 * @returns {{ rows: number, shareError: number, outOfRange: number }} `shareError`: largest distance of a listed level's
 *   share from its target; `outOfRange`: values outside a range, or missing in a ranged column.
 */
export function countConditions({ columns, blocks }, scenario) {
  const total = blocks.reduce((sum, block) => sum + block.rowCount, 0)
  let shareError = 0
  for (const { column, levels } of scenario.shares) {
    const index = columns.findIndex(({ name }) => name === column)
    const output = columns[index]
    const names = output?.kind === 'categorical' ? output.levels : []
    for (const [level, target] of levels) {
      const code = names.indexOf(level)
      let count = 0
      for (const block of blocks) {
        const values = block.columns[index]
        if (values && 'codes' in values) for (const c of values.codes) if (c === code) count++
      }
      shareError = Math.max(shareError, Math.abs(count / total - target))
    }
  }
  let outOfRange = 0
  for (const { column, min, max } of scenario.ranges) {
    const index = columns.findIndex(({ name }) => name === column)
    for (const block of blocks) {
      const values = block.columns[index]
      if (!values || !('values' in values)) throw new Error(`column ${column} is not numeric`)
      values.values.forEach((value, row) => {
        if (value < min || value > max || values.valid?.[row] === 0) outOfRange++
      })
    }
  }
  return { rows: total, shareError, outOfRange }
}
