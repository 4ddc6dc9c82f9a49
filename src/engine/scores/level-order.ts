/**
 * An order for the levels of a categorical predictor with many levels, specific to a target: the first axis of a
 * correspondence analysis of the (level x target class) table (Coppersmith, Hong, Hosking 1999; Wright, Koenig 2019),
 * cut into groups of equal mass. Keeping only the most frequent levels loses most of such a column's association.
 *
 * K  codes of the predictor     G  target classes     n  rows
 */

/** Each level's profile is mixed with this many rows of the average profile, so that rare levels do not end up at the ends. */
const PSEUDO_ROWS = 10
const POWER_STEPS = 60

/**
 * codes      length n: predictor codes below `k`      classes  length n: target classes below `g`
 * maxGroups  at most 256
 * perRow     copies that are worth one row
 * returns    length K: code → group, groups ascending along the axis
 */
export function groupLevels(
  codes: Uint16Array,
  k: number,
  classes: Uint8Array,
  g: number,
  maxGroups: number,
  perRow = 1,
): Uint16Array {
  const n = codes.length
  const table = new Float64Array(k * g)
  for (let i = 0; i < n; i++) {
    const o = codes[i]! * g + classes[i]!
    table[o] = table[o]! + 1
  }
  const mass = new Float64Array(k)
  const average = new Float64Array(g)
  for (let level = 0; level < k; level++) {
    for (let c = 0; c < g; c++) {
      mass[level] = mass[level]! + table[level * g + c]!
      average[c] = average[c]! + table[level * g + c]! / n
    }
  }
  // Rows become standardised deviations from the average profile.
  for (let level = 0; level < k; level++) {
    for (let c = 0; c < g; c++) {
      const share = average[c]!
      const o = level * g + c
      table[o] =
        share === 0
          ? 0
          : (table[o]! - mass[level]! * share) / ((mass[level]! + PSEUDO_ROWS * perRow) * Math.sqrt(share))
    }
  }
  const axis = firstAxis(table, mass, k, g)
  const scores = new Float64Array(k)
  for (let level = 0; level < k; level++) {
    for (let c = 0; c < g; c++) scores[level] = scores[level]! + table[level * g + c]! * axis[c]!
  }
  const order = Array.from({ length: k }, (_, level) => level)
  order.sort((a, b) => scores[a]! - scores[b]! || a - b)
  const groups = new Uint16Array(k)
  let before = 0
  let group = -1
  let quantile = -1
  for (const level of order) {
    const q = Math.min(maxGroups - 1, Math.floor((before * maxGroups) / n))
    if (q !== quantile) {
      group++
      quantile = q
    }
    groups[level] = group
    before += mass[level]!
  }
  return groups
}

/** Leading eigenvector of the G x G matrix of the rows' weighted cross products, by power iteration. */
function firstAxis(rows: Float64Array, mass: Float64Array, k: number, g: number): Float64Array {
  const matrix = new Float64Array(g * g)
  for (let level = 0; level < k; level++) {
    const o = level * g
    for (let a = 0; a < g; a++) {
      const weighted = mass[level]! * rows[o + a]!
      for (let b = 0; b < g; b++) matrix[a * g + b] = matrix[a * g + b]! + weighted * rows[o + b]!
    }
  }
  let widest = 0
  for (let a = 1; a < g; a++) if (matrix[a * g + a]! > matrix[widest * g + widest]!) widest = a
  let axis = matrix.slice(widest * g, widest * g + g)
  for (let step = 0; step < POWER_STEPS; step++) {
    const next = new Float64Array(g)
    let square = 0
    for (let a = 0; a < g; a++) {
      for (let b = 0; b < g; b++) next[a] = next[a]! + matrix[a * g + b]! * axis[b]!
      square += next[a]! * next[a]!
    }
    // Without any association every order will do; zero scores give the order of the codes.
    if (square === 0) return new Float64Array(g)
    const norm = Math.sqrt(square)
    for (let a = 0; a < g; a++) next[a] = next[a]! / norm
    axis = next
  }
  return axis
}
