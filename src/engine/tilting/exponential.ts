/**
 * e^y from additions and multiplications alone, so that generated rows are the same on every machine; Math.exp may differ in its last
 * digit. For |y| up to 4 the relative error is below 1e-13.
 */
export function exponential(y: number): number {
  // e^y = (e^(y / 64))^64; the series of a small number needs few terms.
  const x = y / 64
  let power =
    1 + x * (1 + (x / 2) * (1 + (x / 3) * (1 + (x / 4) * (1 + (x / 5) * (1 + (x / 6) * (1 + (x / 7) * (1 + x / 8)))))))
  for (let i = 0; i < 6; i++) power *= power
  return power
}
