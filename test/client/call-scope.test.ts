import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { inScope, reasonOfEnd } from '../../src/client/call-scope.ts'

const SOON = { limitMs: 60_000, now: () => 0 }
const never = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

describe('the scope of a call', () => {
  it('leaves no listener on its signals, however the work ends', async () => {
    const { signal } = new AbortController()
    const closing = new AbortController().signal
    const options = { ...SOON, call: { signal }, closing }
    await Promise.all(Array.from({ length: 20 }, () => inScope(options, async () => {})))
    await expect(inScope(options, () => Promise.reject(new Error('it broke')))).rejects.toThrow('it broke')
    expect([getEventListeners(signal, 'abort'), getEventListeners(closing, 'abort')]).toEqual([[], []])
  })

  it.each([
    { name: 'the deadline', kind: 'deadline', limitMs: 1, close: false },
    { name: 'closing', kind: 'network', limitMs: 60_000, close: true },
  ])('ends at $name with an error of its own class', async ({ kind, limitMs, close }) => {
    const closing = new AbortController()
    const call = inScope({ call: undefined, limitMs, now: () => 0, closing: closing.signal }, async (scope) => {
      const end = never(scope.signal)
      if (close) closing.abort()
      await end.catch(() => {
        throw reasonOfEnd(scope, { asked: 'GET /x', attempts: 2, requestId: 'srv-1' })
      })
    })
    await expect(call).rejects.toMatchObject({ name: 'ServiceError', kind, attempts: 2, requestId: 'srv-1' })
  })

  it('has ended before its work begins where its deadline has passed', async () => {
    const closing = new AbortController().signal
    const call = { deadlineMs: -1 }
    expect(await inScope({ ...SOON, call, closing }, async ({ signal }) => signal.aborted)).toBe(true)
  })
})
