/**
 * Ridge regression (Hoerl, Kennard 1970) from its cross products: the weights w that minimise |y - X w|^2 + ridge
 * |w|^2, with an unpenalised intercept (feature 0, always 1). Several responses share the factor of X'X.
 *
 * p  features, intercept included
 *
 * `reference-ridge.ts`, in the tests, is the reference implementation from the rows.
 */

/**
 * matrix    X'X, p x p, row-major, lower triangle; overwritten by its factor
 * products  X'y of each response, length p each
 *
 * @returns the weights of each response, length p each
 */
export function solveRidge(matrix: Float64Array, products: readonly Float64Array[], ridge: number): Float64Array[] {
  const p = Math.sqrt(matrix.length)
  for (let a = 1; a < p; a++) matrix[a * p + a] = matrix[a * p + a]! + ridge
  factorize(matrix, p)
  return products.map((product) => {
    const w = product.slice()
    for (let a = 0; a < p; a++) {
      let sum = w[a]!
      for (let k = 0; k < a; k++) sum -= matrix[a * p + k]! * w[k]!
      w[a] = sum / matrix[a * p + a]!
    }
    for (let a = p - 1; a >= 0; a--) {
      const x = w[a]! / matrix[a * p + a]!
      w[a] = x
      for (let k = 0; k < a; k++) w[k] = w[k]! - matrix[a * p + k]! * x
    }
    return w
  })
}

/** Cholesky: m = L L', in place in the lower triangle. */
function factorize(m: Float64Array, p: number): void {
  for (let a = 0; a < p; a++) {
    const rowA = a * p
    for (let b = 0; b <= a; b++) {
      const rowB = b * p
      let sum = m[rowA + b]!
      for (let k = 0; k < b; k++) sum -= m[rowA + k]! * m[rowB + k]!
      m[rowA + b] = a === b ? Math.sqrt(sum) : sum / m[rowB + b]!
    }
  }
}
