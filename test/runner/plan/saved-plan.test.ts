import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import type { Plan } from '../../../src/runner/plan/plan.ts'
import {
  parseSavedPlan,
  planMoves,
  savedPlanText,
  savePlan,
  UNUSABLE_PLAN,
} from '../../../src/runner/plan/saved-plan.ts'
import { BASE, HOUR, NOW, past, planOf } from './plan-case.ts'

const schema = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../schemas/plan.v1.json'), 'utf8'))

const LOCK = 'a'.repeat(64)
const plan = (): Plan => planOf(BASE)
const saved = () => savePlan(plan(), LOCK)

describe('a saved plan', () => {
  it('is read as it was written, and has only digests, keys and counts', () => {
    const text = savedPlanText(saved())
    expect(parseSavedPlan(text)).toEqual(saved())
    expect(Object.keys(JSON.parse(text))).toEqual([
      'plan_version',
      'study',
      'study_digest',
      'lock_digest',
      'service',
      'scope',
      'state_serial',
      'uploads',
      'rows_bound',
      'datasets',
      'scenarios',
    ])
    expect(JSON.parse(text)).toMatchObject({ state_serial: 0, uploads: 1, rows_bound: 300, lock_digest: LOCK })
    expect(JSON.parse(text).scenarios.base).toEqual({ action: 'generate', idempotency_key: null })
  })

  it('cannot be made of a study whose digest is unknown', () => {
    const unknown = { ...plan(), study: { name: 'demo', digest: null } }
    expect(() => savePlan(unknown, null)).toThrow(/^the plan cannot be saved: .* whatif validate checks both$/)
  })

  it.each<[name: string, change: (file: Record<string, unknown>) => unknown, fault: string]>([
    ['a list', () => [], 'the file: expected an object: what `whatif plan --save` keeps'],
    ['a version of the future', (f) => ({ ...f, plan_version: 2 }), 'plan_version: expected the number 1'],
    ['a name with escape codes', (f) => ({ ...f, study: '\u001B[2J' }), 'study: expected the name of a study'],
    ['half a digest', (f) => ({ ...f, study_digest: 'abc' }), 'study_digest: expected 64 hexadecimal digits'],
    ['no lock digest', ({ lock_digest: _, ...f }) => f, 'lock_digest: expected 64 hexadecimal digits or null'],
    ['a service by address', (f) => ({ ...f, service: 'https://evil.example' }), 'service: expected "embedded"'],
    ['a label with a space', (f) => ({ ...f, scope: 'a b' }), 'scope: expected a label or null'],
    ['a serial in words', (f) => ({ ...f, state_serial: '1' }), 'state_serial: expected a whole number'],
    ['a negative bound', (f) => ({ ...f, rows_bound: -1 }), 'rows_bound: expected a whole number'],
    ['a bound past exact numbers', (f) => ({ ...f, rows_bound: 2 ** 60 }), 'rows_bound: expected a whole number'],
    ['scenarios as null', (f) => ({ ...f, scenarios: null }), 'scenarios: expected an object'],
    [
      'an id with a line feed',
      (f) => ({ ...f, scenarios: { 'a\nb': {} } }),
      'scenarios: expected ids, which are lower-case words',
    ],
    [
      'an action that is none',
      (f) => ({ ...f, scenarios: { a: { action: {}, idempotency_key: null } } }),
      'scenarios.a.action: expected a word',
    ],
    ['no bound', ({ rows_bound: _, ...f }) => f, 'rows_bound: expected a whole number of at least 0: the most rows'],
    [
      'an action in capitals',
      (f) => ({ ...f, scenarios: { a: { action: 'RUN', idempotency_key: null } } }),
      'scenarios.a.action: expected a word',
    ],
    ['a text for an action', (f) => ({ ...f, scenarios: { a: 'generate' } }), 'scenarios.a: expected an object with'],
    ['no key', (f) => ({ ...f, datasets: { a: { action: 'use' } } }), 'datasets.a.idempotency_key: expected'],
  ])('with %s is refused', (_name, change, fault) => {
    const file = JSON.parse(savedPlanText(saved())) as Record<string, unknown>
    expect(() => parseSavedPlan(JSON.stringify(change(file)))).toThrow(expect.objectContaining({ code: UNUSABLE_PLAN }))
    expect(() => parseSavedPlan(JSON.stringify(change(file)))).toThrow(fault)
  })

  it('has no field that the published schema does not describe', () => {
    const closed = structuredClone(schema)
    closed.additionalProperties = false
    closed.definitions.action.additionalProperties = false
    const validate = new Ajv({ allowUnionTypes: true }).compile(closed)
    for (const one of [saved(), savePlan(planOf(BASE, { past: past(BASE) }), null)])
      expect(validate(JSON.parse(savedPlanText(one))), JSON.stringify(validate.errors)).toBe(true)
  })

  it('is read as before when a later version adds fields', () => {
    const file = JSON.parse(savedPlanText(saved()))
    expect(parseSavedPlan(JSON.stringify({ ...file, added: { later: true } }))).toEqual(saved())
  })

  it('accepts an action under every name that a scenario can have, and under no other name', () => {
    const text = (id: string) => savedPlanText(saved()).replace('"base":', `${JSON.stringify(id)}:`)
    expect([...parseSavedPlan(text('__proto__')).scenarios.keys()]).toContain('__proto__')
    expect(() => parseSavedPlan(text('Base'))).toThrow('scenarios: expected ids')
  })

  it('is refused without a quote of the text when it is not JSON', () => {
    expect(() => parseSavedPlan('canary {')).toThrow(/^it is not JSON$/)
  })
})

describe('the changes since a plan was saved', () => {
  it('are empty while nothing changed', () => {
    expect(planMoves(saved(), plan(), LOCK)).toEqual([])
  })

  it('are empty when only time has passed and no action changes', () => {
    const done = past(BASE)
    const before = savePlan(planOf(BASE, { past: done }), LOCK)
    const later = planOf(BASE, { past: done, input: { now: NOW + HOUR } })
    expect(planMoves(before, later, LOCK)).toEqual([])
  })

  it.each<[what: string, change: (plan: Plan) => Plan, expected: string]>([
    ['study', (p) => ({ ...p, study: { ...p.study, digest: 'b'.repeat(64) } }), 'the study or its data'],
    ['name', (p) => ({ ...p, study: { ...p.study, name: 'other' } }), "the study's name (demo → other)"],
    ['service', (p) => ({ ...p, service: '0a1b2c3d' }), 'the service (embedded → 0a1b2c3d)'],
    ['scope', (p) => ({ ...p, scope: 'today' }), 'the scope (none → today)'],
    ['state', (p) => ({ ...p, stateSerial: 9 }), 'the state (another run took place)'],
    ['bound', (p) => ({ ...p, totals: { ...p.totals, rowsBound: 400 } }), 'the bound on billed rows (300 → 400)'],
    [
      'actions',
      (p) => ({
        ...p,
        scenarios: p.scenarios.map((s) => ({ ...s, action: { kind: 'skip', upToDate: false } as const })),
      }),
      'actions of scenarios (base: generate → skip, more-yes: generate → skip, young: generate → skip)',
    ],
    [
      'requests',
      (p) => ({ ...p, scenarios: p.scenarios.map((s, i) => (i === 0 ? { ...s, key: 'wi1.gen.0.e0' } : s)) }),
      'actions of scenarios (base: another request)',
    ],
    ['datasets', (p) => ({ ...p, datasets: [] }), 'actions of datasets (panel: upload → absent)'],
  ])('include the %s', (_what, change, expected) => {
    expect(planMoves(saved(), change(plan()), LOCK)).toEqual([expected])
  })

  it('include the lock file, and all changes at once', () => {
    expect(planMoves(saved(), { ...plan(), stateSerial: 9 }, null)).toEqual([
      'the lock file',
      'the state (another run took place)',
    ])
  })
})
