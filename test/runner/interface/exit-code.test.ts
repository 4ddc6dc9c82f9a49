import { describe, expect, it } from 'vitest'
import { ServiceError, type ServiceErrorKind } from '../../../src/client/service-error.ts'
import {
  EXIT_CODES,
  type ExitReason,
  exitReason,
  RunInterruptedError,
  RunRefusalError,
  verdict,
} from '../../../src/runner/interface/exit-code.ts'

describe('the exit code of several causes', () => {
  /** In the sequence of the study language: the first of 1, 2, 3, 4, 5, 6, 11, 7, 8, 9 wins. */
  const order: ExitReason[] = [
    'unexpected_error',
    'usage',
    'invalid_study',
    'does_not_fit_data',
    'authentication',
    'payment_required',
    'deadline_or_network',
    'failed',
    'partial_below_policy',
    'gates_failed',
  ]

  it.each(order.map((reason, i) => ({ reason, later: order.slice(i + 1) })))(
    'is the code of $reason before $later',
    ({ reason, later }) => {
      const found = verdict([...later, reason].reverse())
      expect(found).toEqual({ exitCode: EXIT_CODES[reason], reason, also: later })
    },
  )

  it('is 0 without any', () => {
    expect(verdict([])).toEqual({ exitCode: 0, reason: 'ok', also: [] })
  })

  it.each([
    { reason: 'interrupted' as const, exitCode: 130 },
    { reason: 'terminated' as const, exitCode: 143 },
    { reason: 'lock_held' as const, exitCode: 10 },
  ])('of a run that was $reason is $exitCode whatever else happened', ({ reason, exitCode }) => {
    expect(verdict(['failed', reason])).toEqual({ exitCode, reason, also: ['failed'] })
  })
})

describe('what an error means for a run', () => {
  it.each<[ServiceErrorKind, number]>([
    ['auth', 5],
    ['forbidden', 5],
    ['quota', 6],
    ['network', 11],
    ['deadline', 11],
    ['server', 11],
    ['not_found', 7],
    ['gone', 7],
    ['conflict', 7],
    ['rejected', 7],
    ['too_large', 7],
    ['reply', 7],
  ])('a service error of kind %s is exit %i', (kind, exitCode) => {
    expect(EXIT_CODES[exitReason(new ServiceError({ kind, message: 'x' }))]).toBe(exitCode)
  })

  it.each([
    { error: new RunRefusalError('over_budget', 'budget', 'x'), exitCode: 6 },
    { error: new RunInterruptedError('SIGINT'), exitCode: 130 },
    { error: new RunInterruptedError('SIGTERM'), exitCode: 143 },
    { error: new RunInterruptedError('deadline', 'x'), exitCode: 11 },
    { error: new TypeError('a bug'), exitCode: 1 },
    {
      error: new ServiceError({ kind: 'rejected', code: 'svc_unknown_condition_column', message: 'x' }),
      exitCode: 4,
    },
  ])('$error is exit $exitCode', ({ error, exitCode }) => {
    expect(EXIT_CODES[exitReason(error)]).toBe(exitCode)
  })
})
