import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { GenerationRequest } from '../../../src/contract/generations.ts'
import { NameSearch } from '../../../src/service/http/nearest-names.ts'
import { ProblemError } from '../../../src/service/http/problem-error.ts'
import { problemOf } from '../../../src/service/http/problem-record.ts'
import { checkBody, checkQuery } from '../../../src/service/http/request-shape.ts'

/** The faults that a body is refused with. */
function faults(body: unknown, schema: z.ZodType = GenerationRequest) {
  try {
    checkBody(schema, body)
  } catch (error) {
    if (error instanceof ProblemError) return error.errors
    throw error
  }
  return []
}

describe('a body that is checked', () => {
  it('is returned as its schema makes it', () => {
    expect(checkBody(z.object({ a: z.string().trim() }), { a: ' x ' })).toEqual({ a: 'x' })
  })

  it.each([
    [{ row_count: 1, seeed: 1 }, [{ field: 'seeed', message: 'is not a known field', suggestion: 'seed' }]],
    [{ row_count: 1, unrelated: 1 }, [{ field: 'unrelated', message: 'is not a known field' }]],
    [
      { row_count: 1, conditions: { categoricals: {} } },
      [{ field: 'conditions.categoricals', message: 'is not a known field', suggestion: 'categorical' }],
    ],
    [
      { row_count: 1, conditions: { numeric: { age: { min: 1, max: 2, maxx: 3 } } } },
      [{ field: 'conditions.numeric.age.maxx', message: 'is not a known field', suggestion: 'max' }],
    ],
    [
      { row_count: 1, conditions: { numeric: { age: { min: 1 } } } },
      [{ field: 'conditions.numeric.age.max', message: 'is required' }],
    ],
    [
      { row_count: 0, conditions: { categorical: { region: { North: 1.5 } } } },
      [
        { field: 'row_count', message: 'must be at least 1' },
        { field: 'conditions.categorical.region.North', message: 'must be at most 1' },
      ],
    ],
    [
      { row_count: '10', output_format: 'xlsx', wait_seconds: 61 },
      [
        { field: 'row_count', message: 'must be a number' },
        { field: 'output_format', message: 'must be one of parquet, csv, arrow' },
        { field: 'wait_seconds', message: 'must be at most 60' },
      ],
    ],
    [{ row_count: 1.5 }, [{ field: 'row_count', message: 'must be a whole number' }]],
    [{ row_count: 2 ** 53 }, [{ field: 'row_count', message: `must be at most ${Number.MAX_SAFE_INTEGER}` }]],
    [{}, [{ field: 'row_count', message: 'is required' }]],
    [[], [{ field: 'body', message: 'must be an object' }]],
    [7, [{ field: 'body', message: 'must be an object' }]],
    [null, [{ field: 'body', message: 'must be an object' }]],
    [undefined, [{ field: 'body', message: 'is required' }]],
    [{ row_count: Number.POSITIVE_INFINITY }, [{ field: 'row_count', message: 'must be a finite number' }]],
    [
      { row_count: 1, conditions: { categorical: { region: 0.5 }, numeric: { age: { min: true, max: [] } } } },
      [
        { field: 'conditions.categorical.region', message: 'must be an object' },
        { field: 'conditions.numeric.age.min', message: 'must be a number or text' },
        { field: 'conditions.numeric.age.max', message: 'must be a number or text' },
      ],
    ],
  ])('with %j is refused with all of its faults', (body, expected) => {
    expect(faults(body)).toEqual(expected)
  })

  it('that is a query must not give a parameter twice', () => {
    expect(() => checkQuery(z.object({ limit: z.string() }), { limit: ['1', '2'] })).toThrow('limit must be given once')
  })

  it('is refused with the first fault in words, and the number of further ones', () => {
    expect(() => checkBody(GenerationRequest, { row_cuont: 1 })).toThrow('row_count is required (and 1 more)')
    expect(() => checkBody(GenerationRequest, { row_count: 1, sed: 1 })).toThrow(
      'sed is not a known field; did you mean seed?',
    )
  })

  it('is refused with at most 100 characters of each name', () => {
    const [fault] = faults({ row_count: 1, [`${'x'.repeat(5000)}`]: 1 })
    expect(fault?.field).toBe(`${'x'.repeat(100)}…`)
  })

  it('is refused with at most 50 faults, and the others are counted', () => {
    const shares = Object.fromEntries(Array.from({ length: 73 }, (_, i) => [`level ${i}`, 2]))
    let thrown: unknown
    try {
      checkBody(GenerationRequest, { row_count: 1, conditions: { categorical: { region: shares } } })
    } catch (error) {
      thrown = error
    }
    const { body } = problemOf(thrown, 'req_x', 'https://service.example')
    expect(body.errors).toHaveLength(50)
    expect(body.errors_omitted).toBe(23)
  })
})

describe('names like a given one', () => {
  it('are the nearest first, and ties keep their order', () => {
    expect(new NameSearch().nearest('regoin', ['age', 'Region', 'religion', 'region'], 3)).toEqual([
      'Region',
      'region',
      'religion',
    ])
    expect(new NameSearch().nearest('zz', ['aa', 'bb', 'cc'], 2)).toEqual(['aa', 'bb'])
  })

  it.each([
    ['regoin', 'region'],
    ['REGION', 'region'],
    ['regions', 'region'],
    ['spend', null],
    ['', null],
    ['x'.repeat(200), null],
  ])('%.20j is likely %j', (name, likely) => {
    expect(new NameSearch().likely(name, ['age', 'region'])).toBe(likely)
  })
})
