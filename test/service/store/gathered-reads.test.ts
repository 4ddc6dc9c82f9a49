import { describe, expect, it } from 'vitest'
import { GatheredReads } from '../../../src/service/store/gathered-reads.ts'

/** Answers a load on request. */
function manualLoad() {
  const loads: { keys: readonly string[]; answer: (rows: Record<string, string>) => void; fail: (e: Error) => void }[] =
    []
  let noticed: (() => void) | null = null
  const load = (keys: readonly string[]) =>
    new Promise<ReadonlyMap<string, string>>((resolve, reject) => {
      loads.push({ keys, answer: (rows) => resolve(new Map(Object.entries(rows))), fail: reject })
      noticed?.()
    })
  const loaded = async (count: number) => {
    while (loads.length < count) await new Promise<void>((resolve) => (noticed = resolve))
    return loads[count - 1]!
  }
  return { load, loaded, loads }
}

describe('records requested at the same time', () => {
  it('are read by one statement, each key once, and returned to each caller', async () => {
    const { load, loaded, loads } = manualLoad()
    const reads = new GatheredReads(load)
    const asked = Promise.all([reads.read('a'), reads.read('b'), reads.read('a'), reads.read('gone')])
    const { keys, answer } = await loaded(1)
    expect(keys).toEqual(['a', 'b', 'gone'])
    answer({ a: 'A', b: 'B' })
    expect(await asked).toEqual(['A', 'B', 'A', null])
    expect(loads).toHaveLength(1)
  })

  it('are read after their request: a request during a statement waits for the next one', async () => {
    const { load, loaded } = manualLoad()
    const reads = new GatheredReads(load)
    const early = reads.read('a')
    const first = await loaded(1)
    const late = reads.read('a')
    first.answer({ a: 'before' })
    expect(await early).toBe('before')
    const second = await loaded(2)
    expect(second.keys).toEqual(['a'])
    second.answer({ a: 'after' })
    expect(await late).toBe('after')
  })

  it('fail together, and not for later callers', async () => {
    const { load, loaded } = manualLoad()
    const reads = new GatheredReads(load)
    const asked = [reads.read('a'), reads.read('b')]
    const ended = Promise.allSettled(asked)
    ;(await loaded(1)).fail(new Error('the database is away'))
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const later = reads.read('a')
    ;(await loaded(2)).answer({ a: 'A' })
    expect(await later).toBe('A')
  })

  it('are read by statements with the configured number of records', async () => {
    const statements: (readonly string[])[] = []
    const load = async (keys: readonly string[]) => {
      statements.push(keys)
      return new Map(keys.map((key) => [key, key]))
    }
    const reads = new GatheredReads(load, 2)
    expect(await Promise.all(['a', 'b', 'c', 'a'].map((key) => reads.read(key)))).toEqual(['a', 'b', 'c', 'a'])
    expect(statements).toEqual([['a', 'b'], ['c']])
  })

  it('are read by several statements where they are very many', async () => {
    const sizes: number[] = []
    const reads = new GatheredReads(async (keys) => {
      sizes.push(keys.length)
      return new Map(keys.map((key) => [key, `row ${key}`]))
    })
    const rows = await Promise.all(Array.from({ length: 1_200 }, (_, i) => reads.read(String(i))))
    expect(rows[1_199]).toBe('row 1199')
    expect(sizes).toEqual([500, 500, 200])
  })
})
