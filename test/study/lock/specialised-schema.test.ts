import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { CleanedColumn } from '../../../src/study/live-schema/cleaned-schema.ts'
import { type LockedColumn, type StudyLock, withLevelSalt } from '../../../src/study/lock/lock.ts'
import { specialisedSchema } from '../../../src/study/lock/specialised-schema.ts'
import { MATRIX, MINIMAL } from '../study-texts.ts'

const categorical = (...levels: string[]): LockedColumn => ({ kind: 'categorical', levels })
const NUMERIC: LockedColumn = { kind: 'numeric', levels: null }

const COLUMNS: readonly (readonly [string, LockedColumn])[] = [
  ['age', NUMERIC],
  ['purchase.intent', categorical('No', 'Yes')],
  ['region', categorical('North', 'South')],
  ['__proto__', categorical('__proto__', 'constructor')],
  ['say "hi"', categorical('it\'s "so"', '1')],
  ['anything', { kind: 'unknown', levels: null }],
]

function lockOf(...datasets: (readonly (readonly [string, LockedColumn])[])[]): StudyLock {
  const rest = { seed: null, dropped: [], schemaSha256: '' }
  return {
    levelSalt: null,
    datasets: new Map(datasets.map((columns, i) => [`d${i}`, { ...rest, columns: new Map(columns) }])),
  }
}

const published = JSON.parse(readFileSync(new URL('../../../schemas/study.v1.json', import.meta.url), 'utf8'))

/** The schema as an editor reads it, from the text of the file. */
function compile(lock: StudyLock): ValidateFunction {
  const schema = JSON.parse(JSON.stringify(specialisedSchema(published, lock, 'x.lock.json')))
  const options = { strict: true, strictRequired: false, strictTypes: false, strictTuples: false } as const
  return new Ajv(options).compile(schema)
}

const read = (yaml: string) => parse(yaml, { version: '1.2', schema: 'core', stringKeys: true })

const study = (rest: string) => `version: 1\nname: a\ndatasets: { d0: { file: x.csv } }\n${rest}`
const scenario = (fields: string) => study(`scenarios: { a: { rows: 1, seed: 1, ${fields} } }\n`)
const axis = (path: string) =>
  study(`scenarios: { a: { matrix: { axes: [{ name: x, set: ${path}, values: { low: 0.1 } }] } } }\n`)
const comparison = (fields: string) =>
  study(`scenarios: { a: {}, b: {} }\nbaseline: a\ncomparisons: [{ id: c, scenarios: [b], ${fields} }]\n`)
const check = (column: string, level: string) =>
  comparison(`shares: [region], expect: [{ scenario: b, column: ${column}, level: ${level}, delta_min: 0.1 }]`)

describe('the schema of a study with a lock', () => {
  const isValid = compile(lockOf(COLUMNS))

  test.each([
    ['the minimal study', MINIMAL],
    ['a matrix', MATRIX],
    ['levels of several columns', scenario('shares: { region: { North: 0.5 }, purchase.intent: { Yes: 1 } }')],
    ['names like those of every object', scenario('shares: { __proto__: { __proto__: 0.5, constructor: 0.5 } }')],
    ['names with quotes', scenario(`shares: { 'say "hi"': { 'it''s "so"': 0.5, 1: 0.5 } }`)],
    ['any level where none is known', scenario('shares: { anything: { whatever: 1 } }')],
    ['a range of a column of unknown kind', scenario('ranges: { anything: { min: 1, max: 2 } }')],
    ['a condition taken away', scenario('shares: { region: null }, ranges: { age: null }')],
    ['a path to a share', axis('[shares, region, North]')],
    ['a path to a bound', axis('[ranges, age, min]')],
    ['a path to something else', axis('[rows]')],
    ['a comparison', comparison('shares: [region, __proto__], means: [age]')],
    ['a check of a level', check('region', 'North')],
    ['a check of a mean', comparison('means: [age], expect: [{ scenario: b, column: age, delta_min: 0.1 }]')],
    ['a gate of a column', scenario('expect: { shares: { columns: { region: 0.1, __proto__: 0.1 } } }')],
  ])('accepts %s', (_what, yaml) => {
    expect(isValid(read(yaml)), JSON.stringify(isValid.errors)).toBe(true)
  })

  test.each([
    ['a misspelt level', scenario('shares: { region: { Nrth: 0.5 } }')],
    ['a misspelt column', scenario('shares: { regoin: { North: 0.5 } }')],
    ['a level of another column', scenario('shares: { region: { Yes: 0.5 } }')],
    ['a misspelt level of a column called __proto__', scenario('shares: { __proto__: { prototype: 1 } }')],
    ['a misspelt level with quotes', scenario(`shares: { 'say "hi"': { 'it''s so': 0.5 } }`)],
    ["an object's own name where no column has it", scenario('shares: { toString: { a: 1 } }')],
    ['shares of a numeric column', scenario('shares: { age: { 18: 1 } }')],
    ['a range of a categorical column', scenario('ranges: { region: { min: 1, max: 2 } }')],
    ['a misspelt name in defaults', study('defaults: { shares: { region: { Nrth: 1 } } }\nscenarios: { a: {} }\n')],
    ['a path to a level that is not there', axis('[shares, region, Nrth]')],
    ['a path to a column that is not there', axis('[shares, regoin, North]')],
    ['a path to a bound of a categorical column', axis('[ranges, region, min]')],
    ['a comparison of a misspelt column', comparison('shares: [regoin]')],
    ['a mean of a categorical column', comparison('means: [region]')],
    ['a check of a level of another column', check('region', 'Yes')],
    ['a gate of a numeric column', scenario('expect: { shares: { columns: { age: 0.1 } } }')],
    ['what the published schema refuses', scenario('shares: { region: { North: 2 } }')],
  ])('refuses %s', (_what, yaml) => {
    expect(isValid(read(yaml))).toBe(false)
  })

  test('is draft-07 without the address of the published one, and states whose names it has', () => {
    const schema = specialisedSchema(published, lockOf(COLUMNS), 'x.lock.json')
    expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#')
    expect(schema).not.toHaveProperty('$id')
    expect(schema.title).toBe('whatif study, version 1, with the columns and levels of x.lock.json')
  })

  test('offers levels as keys, because editors complete keys', () => {
    const { definitions } = specialisedSchema(published, lockOf(COLUMNS), 'x.lock.json') as {
      definitions: { shares: { properties: Record<string, { properties: object }> } }
    }
    expect(Object.keys(definitions.shares.properties.region!.properties)).toEqual(['North', 'South'])
  })

  describe('with figures that a service reported', () => {
    const known = new Map<string, CleanedColumn>([
      ['region', { name: 'region', kind: 'categorical', levels: ['South', 'North'], levelShares: [0.6, null] }],
      ['age', { name: 'age', kind: 'numeric', min: 18, max: 84, quantiles: { q50: 43 } }],
    ])
    const made = (lock: StudyLock) =>
      specialisedSchema(published, lock, 'x.lock.json', known) as {
        definitions: Record<'shares' | 'ranges', { properties: Record<string, Record<string, unknown>> }>
      }

    test('shows the share of each column and level in the data', () => {
      const { shares, ranges } = made(lockOf(COLUMNS)).definitions
      expect(shares.properties.region).toMatchObject({
        description: 'In the data: South 0.6, North',
        properties: {
          South: { description: 'In the data: 0.6', allOf: [{ $ref: '#/definitions/share' }] },
          North: { $ref: '#/definitions/share' },
        },
      })
      expect(ranges.properties.age).toEqual({
        description: 'In the data: 18 to 84, median 43',
        allOf: [{ $ref: '#/definitions/range' }],
      })
    })

    test('still refuses what the lock lacks', () => {
      const schema = JSON.parse(JSON.stringify(made(lockOf(COLUMNS))))
      const isFit = new Ajv({ strictTypes: false, strictTuples: false, strictRequired: false }).compile(schema)
      expect(isFit(read(scenario('shares: { region: { South: 0.5 } }, ranges: { age: { min: 1, max: 2 } }')))).toBe(
        true,
      )
      expect(isFit(read(scenario('shares: { region: { South: 2 } }')))).toBe(false)
      expect(isFit(read(scenario('ranges: { age: { minimum: 2 } }')))).toBe(false)
    })

    test('names no level if levels are digests', () => {
      const schema = made(withLevelSalt(lockOf(COLUMNS), '5'.repeat(32)))
      expect(JSON.stringify(schema.definitions.shares.properties)).not.toMatch(/South|In the data/)
      expect(schema.definitions.ranges.properties.age).toMatchObject({
        description: 'In the data: 18 to 84, median 43',
      })
    })
  })

  test('accepts what any of several datasets has', () => {
    const two = compile(
      lockOf(
        [['region', categorical('North')]],
        [
          ['region', categorical('East')],
          ['age', NUMERIC],
        ],
      ),
    )
    expect(
      two(read(scenario('shares: { region: { North: 0.5, East: 0.5 } }, ranges: { age: { min: 1, max: 2 } }'))),
    ).toBe(true)
    expect(two(read(scenario('shares: { region: { West: 0.5 } }')))).toBe(false)
  })

  test('accepts any level of a column if one of several datasets does not list its levels', () => {
    const two = compile(lockOf([['region', { kind: 'categorical', levels: null }]], [['region', categorical('East')]]))
    expect(two(read(scenario('shares: { region: { Anywhere: 0.5 } }')))).toBe(true)
  })

  test('has columns and no levels if levels are digests', () => {
    const lock = withLevelSalt(lockOf(COLUMNS), '5'.repeat(32))
    const hashed = compile(lock)
    expect(hashed(read(scenario('shares: { region: { Nrth: 0.5 } }')))).toBe(true)
    expect(hashed(read(scenario('shares: { regoin: { North: 0.5 } }')))).toBe(false)
    const digest = lock.datasets.get('d0')!.columns.get('region')!.levels![0]!
    expect(JSON.stringify(specialisedSchema(published, lock, 'x'))).not.toContain(digest)
  })

  test.each([
    ['no dataset', lockOf()],
    ['numeric columns only', lockOf([['age', NUMERIC]])],
    ['a column without levels', lockOf([['region', categorical()]])],
  ])('can be made of a lock with %s', (_what, lock) => {
    expect(compile(lock)(read(study('scenarios: { a: { rows: 1, seed: 1 } }\n')))).toBe(true)
    expect(compile(lock)(read(scenario('shares: { region: { North: 1 } }')))).toBe(false)
  })
})
