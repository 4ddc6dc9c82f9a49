import { describe, expect, it } from 'vitest'
import { differenceText } from '../../src/cli/commands/diff.ts'

describe('differences on a terminal', () => {
  it('that are too wide for a table are listed in full, with terminal control characters escaped', () => {
    const path = ['scenarios', `switch--north--${'high'.repeat(10)}`, 'shares', 'purchase.intent', 'Yes\u001b[31m']
    expect(differenceText('Shares', [{ path, before: 0.35, after: 0.36, chance: 0.02 }], 60)).toBe(`Shares
  scenarios ›
  switch--north--highhighhighhighhighhighhighhighhighhigh ›
  shares › purchase.intent › Yes\\x1b[31m
      0.35 → 0.36 (noise of generation: ±0.02)

`)
  })

  it('beyond 200 are counted', () => {
    const many = Array.from({ length: 203 }, (_, i) => ({ path: [`s${i}`], before: undefined, after: { rows: 1 } }))
    const lines = differenceText('Since HEAD', many, 80).split('\n')
    expect(lines[1]).toBe('s0          -       {"rows":1}')
    expect(lines.slice(-3)).toEqual(['… and 3 more (--json lists all)', '', ''])
  })

  it('name a long branch that was added, and show a short one', () => {
    const added = (after: object) =>
      differenceText('Since HEAD', [{ path: ['a'], before: undefined, after } as never], 80)
    expect(added({ 'loyalty.member': 'member' })).toContain('a           -       {"loyalty.member":"member"}')
    expect(added({ shares: { region: { North: 0.4 } }, rows: 1000, seed: 12_345, format: 'csv' })).toContain('(there)')
  })
})
