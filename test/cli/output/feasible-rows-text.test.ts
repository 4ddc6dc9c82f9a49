import { describe, expect, it } from 'vitest'
import { feasibleRowsText } from '../../../src/cli/output/feasible-rows-text.ts'

describe('the feasible rows of scenarios', () => {
  it('are nothing to say where nothing is known', () => {
    expect(feasibleRowsText({}, 80)).toBe('')
  })

  it('are told once where all scenarios can have theirs', () => {
    const all = { a: { requested: 100, feasible: 100 }, b: { requested: 1, feasible: 1 } }
    expect(feasibleRowsText(all, 80)).toBe('\nfeasible rows: all that the scenarios with conditions ask for\n')
  })

  it('are told of scenarios that fall short, replicates together, with the reason', () => {
    const wives = { requested: 10_000, feasible: 666, detail: '2 of 32,561 seed rows are both.' }
    const rows = { 'wives--r1': wives, fine: { requested: 5, feasible: 5 }, 'wives--r2': wives }
    expect(feasibleRowsText({ ...rows, nobody: { requested: 1, feasible: 0 } }, 200)).toBe(`
feasible rows: fewer than asked for
  scenarios wives--r1, wives--r2: at most 666 of 10,000 rows; 2 of 32,561 seed rows are both.
  scenario nobody: none of 1 row
`)
  })

  it('come with the nearest mix as lines of a study, which are not broken', () => {
    const nearest_mix = {
      conditions: {
        categorical: { relationship: { Wife: 0.36 }, 'born in': { 'yes: no': 0.1 } },
        means: { age: { min: 40.5 } },
      },
      moved_share: 0.285,
    }
    const rows = { wives: { requested: 10_000, feasible: 666, detail: '2 of 32,561 seed rows are both.', nearest_mix } }
    expect(feasibleRowsText(rows, 60)).toBe(`
feasible rows: fewer than asked for
  scenario wives: at most 666 of 10,000 rows; 2 of 32,561
  seed rows are both.
    The nearest mix with all rows moves shares by 28.5
    points:
      shares: { relationship: { Wife: 0.36 }, born in: { "yes: no": 0.1 } }
      means: { age: { min: 40.5 } }
`)
    expect(
      feasibleRowsText(
        { wives: { ...rows.wives, nearest_mix: { conditions: { means: { age: 40 } }, moved_share: 0 } } },
        60,
      ),
    ).toContain('    The nearest conditions with all rows:\n      means: { age: 40 }\n')
  })

  it('show no control characters of a service', () => {
    const text = feasibleRowsText({ a: { requested: 9, feasible: 1, detail: 'few\u001b[2J' } }, 80)
    expect(text).not.toContain('\u001b')
  })
})
