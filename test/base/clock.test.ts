import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'

vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn(async () => {}) }))

it.each([0, 250, 2 ** 31 - 1, 2 ** 31, 1000 * 3_600_000])(
  'a wait of %d ms lasts that long and sets only timers that Node allows',
  async (ms) => {
    vi.mocked(delay).mockClear()
    await systemClock.sleep(ms)
    const timers = vi.mocked(delay).mock.calls.map(([timerMs]) => timerMs ?? 0)
    expect(timers.reduce((sum, timerMs) => sum + timerMs, 0)).toBe(ms)
    expect(Math.max(...timers)).toBeLessThan(2 ** 31)
  },
)
