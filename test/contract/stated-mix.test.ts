import { describe, expect, it } from 'vitest'
import type { Conditions } from '../../src/contract/conditions.ts'
import { isMixOf, withNearestMix } from '../../src/contract/stated-mix.ts'

const STATED: Conditions = {
  categorical: { region: { north: 0.8 }, plan: { plus: 0.5 } },
  bounds: { plan: { trial: { max: 0.2 } }, sex: { male: { min: 0.9 } } },
  numeric: { age: { min: 18, max: 40 } },
  means: { spend: 25 },
  cells: [{ columns: ['region', 'sex'], shares: [{ levels: ['north', 'male'], share: 0.7 }] }],
}

describe('conditions with the nearest mix', () => {
  it.each<[string, Conditions, Conditions]>([
    [
      'have its columns in the place of theirs',
      { categorical: { region: { north: 0.7 } } },
      { ...STATED, categorical: { region: { north: 0.7 }, plan: { plus: 0.5 } } },
    ],
    [
      'state a share where a bound was',
      { categorical: { sex: { male: 0.85 } } },
      {
        ...STATED,
        categorical: { ...STATED.categorical, sex: { male: 0.85 } },
        bounds: { plan: { trial: { max: 0.2 } } },
      },
    ],
    [
      'lose what a column is no longer asked for',
      { bounds: { plan: { trial: { max: 0.3 } } } },
      {
        ...STATED,
        categorical: { region: { north: 0.8 } },
        bounds: { plan: { trial: { max: 0.3 } }, sex: { male: { min: 0.9 } } },
      },
    ],
    ['have its means', { means: { spend: { max: 30 } } }, { ...STATED, means: { spend: { max: 30 } } }],
    [
      'have its cells',
      { cells: [{ columns: ['region', 'sex'], shares: [{ levels: ['north', 'male'], share: 0.6 }] }] },
      { ...STATED, cells: [{ columns: ['region', 'sex'], shares: [{ levels: ['north', 'male'], share: 0.6 }] }] },
    ],
  ])('%s', (_, conditions, expected) => {
    expect(withNearestMix(STATED, { conditions })).toEqual(expected)
    expect(isMixOf({ conditions }, STATED)).toBe(true)
  })

  it.each<[string, Conditions]>([
    ['a column', { categorical: { town: { north: 0.7 } } }],
    ['a level', { categorical: { region: { 'north\u001b[2J': 0.7 } } }],
    ['a name of every object', { categorical: { region: { constructor: 0.7 } } }],
    ['a mean', { means: { age: 30 } }],
    ['a range', { numeric: { age: { min: 18, max: 90 } } }],
    ['a table', { cells: [{ columns: ['sex', 'region'], shares: [{ levels: ['male', 'north'], share: 0.6 }] }] }],
    ['a cell', { cells: [{ columns: ['region', 'sex'], shares: [{ levels: ['south', 'male'], share: 0.6 }] }] }],
  ])('are not those of a mix that names %s which they do not state', (_, conditions) => {
    expect(isMixOf({ conditions }, STATED)).toBe(false)
  })
})
