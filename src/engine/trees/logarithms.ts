/** xlogx[i] = i ln i, and rise[i] = xlogx[i + 1] - xlogx[i]. */
interface Logarithms {
  readonly xlogx: Float64Array
  readonly rise: Float64Array
}

let logarithms: Logarithms = { xlogx: new Float64Array(0), rise: new Float64Array(0) }

/** For i = 0 … n; kept between calls and grown when needed. */
export function logarithmsTo(n: number): Logarithms {
  if (logarithms.xlogx.length <= n) {
    const xlogx = new Float64Array(n + 1)
    const rise = new Float64Array(n + 1)
    for (let i = 2; i <= n; i++) {
      xlogx[i] = i * Math.log(i)
      rise[i - 1] = xlogx[i]! - xlogx[i - 1]!
    }
    logarithms = { xlogx, rise }
  }
  return logarithms
}
