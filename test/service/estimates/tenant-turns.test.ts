import { expect, it } from 'vitest'
import { TenantTurns } from '../../../src/service/estimates/tenant-turns.ts'

const NEVER = new AbortController().signal

/** Work that ends on request. */
function works() {
  const begun: string[] = []
  const ends = new Map<string, (fault?: Error) => void>()
  const work = (name: string) => async () => {
    begun.push(name)
    await new Promise<void>((resolve, reject) => {
      ends.set(name, (fault) => (fault === undefined ? resolve() : reject(fault)))
    })
    return name
  }
  return { begun, work, end: (name: string, fault?: Error) => ends.get(name)?.(fault) }
}
const settled = async () => await new Promise(setImmediate)

it('a tenant’s questions run one after the other, even if one fails, and no other tenant waits for them', async () => {
  const turns = new TenantTurns()
  const { begun, work, end } = works()
  const asked = ['A1', 'A2', 'A3', 'B1'].map((name) => turns.take(name.charAt(0), NEVER, work(name)))
  await settled()
  expect(begun).toEqual(['A1', 'B1'])
  const fault = new Error('a fault')
  end('A1', fault)
  await expect(asked[0]).rejects.toBe(fault)
  await settled()
  expect(begun).toEqual(['A1', 'B1', 'A2'])
  end('A2')
  expect(await asked[1]).toBe('A2')
  await settled()
  expect(begun).toEqual(['A1', 'B1', 'A2', 'A3'])
  end('A3')
  end('B1')
  expect(await Promise.all(asked.slice(2))).toEqual(['A3', 'B1'])
})

it('a withdrawn question does not run, and the next one takes its turn', async () => {
  const turns = new TenantTurns()
  const { begun, work, end } = works()
  const leaving = new AbortController()
  const first = turns.take('A', NEVER, work('A1'))
  const second = turns.take('A', leaving.signal, work('A2'))
  const third = turns.take('A', NEVER, work('A3'))
  const reason = new Error('gone')
  leaving.abort(reason)
  await expect(second).rejects.toBe(reason)
  await settled()
  expect(begun).toEqual(['A1'])
  end('A1')
  await first
  await settled()
  expect(begun).toEqual(['A1', 'A3'])
  end('A3')
  await third
})
