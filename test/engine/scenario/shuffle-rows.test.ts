import { describe, expect, it } from 'vitest'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { shuffleRows } from '../../../src/engine/scenario/shuffle-rows.ts'

/** A random permutation of 0 … rows - 1, as Fisher and Yates make it: where each row goes. */
function shuffledPlaces(rows: number, seed: number): Uint32Array {
  const places = Uint32Array.from({ length: rows }, (_, row) => row)
  const stream = new RandomStream(seed, PURPOSE.shuffle)
  for (let last = rows - 1; last > 0; last--) {
    const other = stream.below(last + 1)
    const place = places[last]!
    places[last] = places[other]!
    places[other] = place
  }
  return places
}

describe('rows in a random sequence', () => {
  // From 2,097,153 rows on a place takes two random words; 65,536 are drawn together.
  it.each([0, 1, 2, 3, 1_000, 65_536, 65_537, 65_538, 2_097_152, 2_097_153, 2_163_000])(
    'are where Fisher and Yates put them: %i rows',
    (rows) => {
      const places = shuffledPlaces(rows, 42)
      const expected = { small: new Uint8Array(rows), large: new Uint32Array(rows), real: new Float64Array(rows) }
      const columns = { small: new Uint8Array(rows), large: new Uint32Array(rows), real: new Float64Array(rows) }
      for (let row = 0; row < rows; row++) {
        columns.small[row] = expected.small[places[row]!] = row % 251
        columns.large[row] = expected.large[places[row]!] = row
        columns.real[row] = expected.real[places[row]!] = row / 7
      }
      shuffleRows(Object.values(columns), rows, 42)
      // Buffers, because comparing millions of numbers one by one is slow.
      for (const name of ['small', 'large', 'real'] as const) {
        expect(Buffer.from(columns[name].buffer).equals(Buffer.from(expected[name].buffer))).toBe(true)
      }
    },
  )
})
