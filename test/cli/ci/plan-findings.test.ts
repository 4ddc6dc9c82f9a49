import { expect, it } from 'vitest'
import { planFindings } from '../../../src/cli/ci/findings.ts'
import { BASE, past, planOf } from '../../runner/plan/plan-case.ts'

it('a plan in CI warns of results that the state does not know, and of nothing where it knows them', () => {
  const before = past(BASE)
  const state = { ...before.state, generations: new Map(), scenarios: new Map() }
  expect(planFindings(planOf(BASE, { past: { ...before, state } }), '/project/x.study.yaml')).toEqual([
    {
      level: 'warning',
      title: 'unknown results',
      message: expect.stringMatching(/^out\/demo holds files of 3 scenarios .* not adopted/),
      place: { file: '/project/x.study.yaml' },
    },
  ])
  expect(planFindings(planOf(BASE, { past: before }), '/project/x.study.yaml')).toEqual([])
})
