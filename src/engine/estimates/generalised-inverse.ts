/** An entry that the ones before leave less than this part of is determined by them. */
const DEPENDENT = 1e-10

/**
 * An inverse of a symmetric matrix without negative eigenvalues, with rows and columns of 0 for entries that the ones before
 * determine: levels that always go together, or that no row has. (Gauss and Jordan; the sweep operator of Goodnight 1979.)
 *
 * @param matrix m × m, row-major; used up.
 */
export function generalisedInverse(matrix: Float64Array, m: number): Float64Array {
  const diagonal = Float64Array.from({ length: m }, (_, a) => matrix[a * m + a]!)
  const swept = new Uint8Array(m)
  for (let a = 0; a < m; a++) {
    const pivot = matrix[a * m + a]!
    if (!(pivot > DEPENDENT * diagonal[a]!)) continue
    swept[a] = 1
    for (let j = 0; j < m; j++) matrix[a * m + j]! /= pivot
    for (let i = 0; i < m; i++) {
      if (i === a) continue
      const factor = matrix[i * m + a]!
      if (factor === 0) continue
      for (let j = 0; j < m; j++) matrix[i * m + j]! -= factor * matrix[a * m + j]!
      matrix[i * m + a] = -factor / pivot
    }
    matrix[a * m + a] = 1 / pivot
  }
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < m; j++) if (swept[i] === 0 || swept[j] === 0) matrix[i * m + j] = 0
  }
  return matrix
}
