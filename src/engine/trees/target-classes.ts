/**
 * Groups the codes of a target into at most 16 classes, for one node of a tree (or for a whole table).
 *
 * K  codes of the target     G  classes
 *
 * Classes regrouped at every node still distinguish values after a node lies inside what was one class of the table; fixed
 * classes ruin columns that depend closely on others (totals).
 */

/** Fewer lose too much in large nodes; 32 brought no improvement. */
export const MAX_CLASSES = 16

/**
 * Classes of a numeric target for a node of n rows: 0.4 √n. Every class is a parameter that a split must pay for. Small nodes differ
 * in the location of their values, which few classes show as well. Nodes of 1,600 rows and more have all 16.
 */
const CLASSES_PER_ROOT = 0.4
const LEAST_CLASSES = 3

/** The most classes for a node of n rows, 3 … 16. */
export function mostClasses(n: number): number {
  return Math.min(MAX_CLASSES, Math.max(LEAST_CLASSES, Math.floor(CLASSES_PER_ROOT * Math.sqrt(n))))
}

/**
 * Ordered codes: missing and heavy codes (more than 1/(most - 1) of the rows) alone, the rest in classes of equal mass.
 * Classes ascend with the codes, but a class of light codes may reach across a heavy one.
 *
 * counts   length K or more: rows per code     rows  their sum, at least 1
 * missing  1 when code 0 is missing
 * most     classes, 3 … 16
 * out      length K or more: receives the class of every code; codes without rows get an arbitrary class
 * returns  G, 1 … most
 */
export function orderedClasses(
  counts: Int32Array,
  k: number,
  rows: number,
  missing: 0 | 1,
  most: number,
  out: Uint8Array,
): number {
  let alone = 0
  let lightRows = 0
  for (let c = 0; c < k; c++) {
    const count = counts[c]!
    if (count === 0) continue
    if (count * (most - 1) > rows || (c === 0 && missing === 1)) alone++
    else lightRows += count
  }
  // With fewer than `most - 1` heavy codes, and missing, one class remains for the rest.
  const lightClasses = most - alone
  let next = 0
  let current = 0
  let quantile = -1
  let before = 0
  for (let c = 0; c < k; c++) {
    const count = counts[c]!
    if (count === 0) {
      out[c] = current
    } else if (count * (most - 1) > rows || (c === 0 && missing === 1)) {
      out[c] = next++
    } else {
      const q = Math.floor((before * lightClasses) / lightRows)
      if (q !== quantile) {
        current = next++
        quantile = q
      }
      out[c] = current
      before += count
    }
  }
  return next
}

/**
 * Levels: up to 16 present codes have a class each, ascending. With more, the 15 most frequent do, ties by code, and the rest share one.
 *
 * present  the codes that have rows, in any order: present[0 … presentCount - 1]
 * out      length K or more: receives the class of every present code
 * returns  G, 1 … 16
 */
export function levelClasses(
  counts: Int32Array,
  k: number,
  present: Int32Array,
  presentCount: number,
  out: Uint8Array,
): number {
  if (k <= MAX_CLASSES) {
    let next = 0
    for (let c = 0; c < k; c++) if (counts[c]! > 0) out[c] = next++
    return next
  }
  const rest = MAX_CLASSES - 1
  for (let i = 0; i < presentCount; i++) out[present[i]!] = rest
  for (let g = 0; g < rest; g++) {
    let best = -1
    let most = 0
    for (let i = 0; i < presentCount; i++) {
      const c = present[i]!
      const count = counts[c]!
      if (out[c] === rest && (count > most || (count === most && c < best))) {
        best = c
        most = count
      }
    }
    if (best < 0) return Math.max(1, g)
    out[best] = g
  }
  return MAX_CLASSES
}

/**
 * Ordered levels, at most 16 codes in all: each present one has its own class, ascending along the scale.
 *
 * sequence  length K: the codes, those off the scale first, then along it
 * out       length K or more: receives the class of every present code
 * returns   G, 1 … 16
 */
export function scaleClasses(counts: Int32Array, sequence: Int32Array, out: Uint8Array): number {
  let next = 0
  for (let i = 0; i < sequence.length; i++) if (counts[sequence[i]!]! > 0) out[sequence[i]!] = next++
  return next
}

/** The codes of ordered levels in the form for `scaleClasses`; null if the codes are unordered, or too many. */
export function scaleSequence(places: Float64Array | null): Int32Array | null {
  if (places === null || places.length > MAX_CLASSES) return null
  const place = (code: number) => (Number.isNaN(places[code]) ? -Infinity : places[code]!)
  return Int32Array.from(places.keys()).sort((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : a - b))
}
