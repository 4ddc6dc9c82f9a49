/** Ridge regression as its definition says: the reference implementation of `ridge-regression.ts`, for its test. */

/**
 * x      rows of p numbers; x[i][0] is 1, the intercept, which is not penalised
 * y      a response per row
 *
 * @returns p weights: the solution of (X'X + ridge I) w = X'y by Gauss-Jordan elimination with pivots.
 */
export function referenceRidge(x: readonly (readonly number[])[], y: readonly number[], ridge: number): number[] {
  const p = x[0]?.length ?? 0
  const system = Array.from({ length: p }, (_, a) => [
    ...Array.from({ length: p }, (_, b) => sum(x, (row) => row[a]! * row[b]!) + (a === b && a > 0 ? ridge : 0)),
    sum(x, (row, i) => row[a]! * y[i]!),
  ])
  for (let a = 0; a < p; a++) {
    let pivot = a
    for (let b = a + 1; b < p; b++) if (Math.abs(system[b]![a]!) > Math.abs(system[pivot]![a]!)) pivot = b
    const row = system[pivot]!
    system[pivot] = system[a]!
    system[a] = row.map((v) => v / row[a]!)
    for (let b = 0; b < p; b++) {
      if (b === a) continue
      const factor = system[b]![a]!
      system[b] = system[b]!.map((v, k) => v - factor * system[a]![k]!)
    }
  }
  return system.map((row) => row[p]!)
}

function sum<T>(list: readonly T[], of: (item: T, i: number) => number): number {
  return list.reduce((total, item, i) => total + of(item, i), 0)
}
