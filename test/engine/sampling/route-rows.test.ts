import { describe, expect, it } from 'vitest'
import { BLOCK_ROWS, type Tree } from '../../../src/engine/model/model.ts'
import { dealInTurn } from '../../../src/engine/sampling/deal-rows.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { layOut, leafOfRow, ReachedLeaves, RowRouter } from '../../../src/engine/sampling/route-rows.ts'
import { referenceRoute } from './reference-route.ts'

/** Codes of each predictor: one word of bits for levels, several words, and thresholds for any. */
const CODES = [2, 32, 33, 300] as const
const TARGET = CODES.length

/** A tree of random splits whose leaves have one to a few dozen rows. */
function randomTree(random: RandomStream, leaves: number): Tree {
  const feature: number[] = [-1]
  const test: number[] = [0]
  const left: number[] = [0]
  const parent: number[] = [-1]
  const masks: number[] = []
  while (feature.length < 2 * leaves - 1) {
    const v = random.below(feature.length)
    if (feature[v] !== -1) continue
    const f = random.below(CODES.length)
    feature[v] = f
    left[v] = feature.length
    if (random.real() < 0.5) test[v] = random.below(CODES[f]!)
    else {
      test[v] = ~masks.length
      for (let bin = 0; bin < CODES[f]!; bin += 32) masks.push(random.word())
    }
    for (let child = 0; child < 2; child++) {
      feature.push(-1)
      test.push(0)
      left.push(0)
      parent.push(v)
    }
  }
  const start = new Int32Array(feature.length)
  const end = new Int32Array(feature.length)
  let rows = 0
  const place = (v: number): void => {
    start[v] = rows
    if (feature[v] === -1) rows += 1 + random.below(40)
    else for (const child of [left[v]!, left[v]! + 1]) place(child)
    end[v] = rows
  }
  place(0)
  return {
    target: TARGET,
    predictors: Int32Array.from(CODES, (_, f) => f),
    scores: [],
    candidates: Int32Array.from(CODES, (_, f) => f),
    groups: CODES.map(() => null),
    feature: Int16Array.from(feature),
    test: Int32Array.from(test),
    left: Int32Array.from(left),
    parent: Int32Array.from(parent),
    masks: Uint32Array.from(masks),
    start,
    end,
    codes: Uint16Array.from({ length: rows }, (_, i) => i),
  }
}

describe('rows that are routed together', () => {
  it.each([
    { leaves: 1, rows: BLOCK_ROWS },
    { leaves: 2, rows: BLOCK_ROWS },
    { leaves: 40, rows: BLOCK_ROWS },
    { leaves: 40, rows: 1 },
    { leaves: 40, rows: 7 },
    { leaves: 3_000, rows: BLOCK_ROWS },
  ])('get the same codes as one after the other: $rows rows, $leaves leaves', ({ leaves, rows }) => {
    for (let seed = 1; seed <= 5; seed++) {
      const random = new RandomStream(seed, PURPOSE.value)
      const tree = randomTree(random, leaves)
      const route = layOut(
        tree,
        Int32Array.from(CODES, (_, f) => f * BLOCK_ROWS),
      )
      const router = new RowRouter()
      const reached = new ReachedLeaves()
      const next = new Int32Array(tree.feature.length)
      for (let block = 0; block < 3; block++) {
        const codes = new Uint16Array((CODES.length + 1) * BLOCK_ROWS)
        CODES.forEach((count, f) => {
          for (let r = 0; r < rows; r++) codes[f * BLOCK_ROWS + r] = random.below(count)
        })
        const turns = Uint16Array.from({ length: rows }, (_, i) => rows - 1 - i)
        const codesOf = (row: number) => CODES.map((_, f) => codes[f * BLOCK_ROWS + row]!)
        const expected = referenceRoute(tree, Array.from(turns, codesOf), next)
        router.route(route, codes, turns, rows, reached)
        dealInTurn(route, reached, codes, null)
        expect(Array.from(turns, (row) => codes[TARGET * BLOCK_ROWS + row]!)).toEqual(expected)
        expect(route.next).toEqual(next)
        expect(turns).toEqual(Uint16Array.from({ length: rows }, (_, i) => rows - 1 - i))
      }
    }
  })

  it('reach the same leaves as alone', () => {
    const random = new RandomStream(3, PURPOSE.value)
    const tree = randomTree(random, 200)
    const route = layOut(
      tree,
      Int32Array.from(CODES, (_, f) => f * BLOCK_ROWS),
    )
    const codes = new Uint16Array((CODES.length + 1) * BLOCK_ROWS)
    for (let i = 0; i < CODES.length * BLOCK_ROWS; i++) codes[i] = random.below(CODES[Math.floor(i / BLOCK_ROWS)]!)
    const turns = Uint16Array.from({ length: BLOCK_ROWS }, (_, i) => i)
    const reached = new ReachedLeaves()
    new RowRouter().route(route, codes, turns, BLOCK_ROWS, reached)
    dealInTurn(route, reached, codes, null)
    const strays = Array.from({ length: BLOCK_ROWS }, (_, row) => row).filter((row) => {
      const leaf = leafOfRow(route, codes, row)
      const place = codes[TARGET * BLOCK_ROWS + row]!
      return place < tree.start[leaf]! || place >= tree.end[leaf]!
    })
    expect(strays).toEqual([])
  })
})
