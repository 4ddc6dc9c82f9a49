import { describe, expect, it } from 'vitest'
import { sharedWork } from '../../src/base/shared-work.ts'

/** Work whose executions are ended by hand; `begun` counts them. */
function steered() {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = []
  const ask = sharedWork(() => new Promise<void>((resolve, reject) => ends.push({ resolve, reject })))
  return { ask, ends }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('shared work', () => {
  it('is done once for those who ask together', async () => {
    const { ask, ends } = steered()
    const asked = [ask(), ask(), ask()]
    await turn()
    expect(ends.length).toBe(1)
    ends[0]?.resolve()
    await Promise.all(asked)
  })

  it('starts a new execution for callers that come during one, after that one has ended', async () => {
    const { ask, ends } = steered()
    const first = ask()
    await turn()
    const later = [ask(), ask()]
    await turn()
    expect(ends.length).toBe(1)
    ends[0]?.resolve()
    await first
    await turn()
    expect(ends.length).toBe(2)
    ends[1]?.resolve()
    await Promise.all(later)
  })

  it('reports a failure to its callers, and runs again for the next ones', async () => {
    const { ask, ends } = steered()
    const failing = [ask(), ask()]
    await turn()
    const next = ask()
    ends[0]?.reject(new Error('no'))
    expect((await Promise.allSettled(failing)).map((f) => f.status)).toEqual(['rejected', 'rejected'])
    await turn()
    ends[1]?.resolve()
    await next
  })
})
