import { describe, expect, it } from 'vitest'
import type { RunFlags } from '../../../src/cli/options/study-options.ts'
import { lockTimeoutOf, studyLockTimeoutOf } from '../../../src/cli/steps/run-request.ts'

const MINUTE = 60_000

describe('how long a run waits for another one', () => {
  it.each<[flags: Partial<RunFlags>, interactive: boolean, waitMs: number]>([
    [{}, true, 30_000],
    [{}, false, 10 * MINUTE],
    [{ ifLocked: 'fail', deadline: 60 * MINUTE }, false, 10 * MINUTE],
    [{ ifLocked: 'wait', deadline: 60 * MINUTE }, false, 60 * MINUTE],
    [{ ifLocked: 'wait', deadline: 60 * MINUTE }, true, 60 * MINUTE],
    [{ ifLocked: 'wait', deadline: 60 * MINUTE, lockTimeout: 5 * MINUTE }, false, 5 * MINUTE],
    [{ ifLocked: 'skip', lockTimeout: 0 }, false, 0],
  ])('with %j and on a terminal: %s', (flags, interactive, waitMs) => {
    expect(lockTimeoutOf(flags, interactive)).toBe(waitMs)
  })
})

it.each([
  [{ ifLocked: 'skip' }, 0],
  [{ ifLocked: 'skip', lockTimeout: 5 * MINUTE }, 5 * MINUTE],
  [{ ifLocked: 'fail' }, 10 * MINUTE],
] as const)('a run that may be skipped waits for another only on request: %o', (flags, expected) => {
  expect(studyLockTimeoutOf(flags, false)).toBe(expected)
})
